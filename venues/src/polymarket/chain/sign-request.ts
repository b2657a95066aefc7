import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  type LocalAccount,
  numberToHex,
  size,
  stringToHex,
  zeroAddress,
} from 'viem';
import { VenueUnavailable } from '../../venue.ts';
import { MULTISEND_ABI, PROXY_ABI } from './abis.ts';
import { CHAIN_ID, DEPOSIT_WALLET_FACTORY, PROXY_FACTORY, RELAY_HUB, SAFE_MULTISEND } from './addresses.ts';
import type { ContractCall } from './encode-conversion.ts';
import type { RelayRequest, WalletType } from './relayer-api.ts';

export type Unsigned = {
  type: WalletType;
  signer: LocalAccount;
  wallet: Hex;
  nonce: number;
  calls: readonly ContractCall[];
  /** In seconds; of a deposit wallet alone. */
  deadlineS: number;
  /** Who relays for a proxy wallet. */
  relay: string | undefined;
};

/** What is sent, and the hash that was signed. */
export type Signed = { id: Hex; request: RelayRequest };

const BATCH_TYPES = {
  Call: [
    { name: 'target', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  Batch: [
    { name: 'wallet', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'calls', type: 'Call[]' },
  ],
} as const;

const SAFE_TYPES = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const;

/** A Safe takes the recovery byte so much higher for a hash that was signed as a message. */
const MESSAGE_V = 4;
/** What the official client lets a proxy's request use where it cannot be estimated. */
const PROXY_GAS = '10000000';
const CALL_TYPE = 1;
const WORD = { size: 32 } as const;

/** Signs calls as the wallet's contract checks them, in the form that the relayer takes. Throws VenueUnavailable. */
export function signRequest(unsigned: Unsigned): Promise<Signed> {
  switch (unsigned.type) {
    case 'WALLET':
      return signBatch(unsigned);
    case 'SAFE':
      return signSafe(unsigned);
    case 'PROXY':
      return signProxy(unsigned);
  }
}

async function signBatch({ signer, wallet, nonce, calls, deadlineS }: Unsigned): Promise<Signed> {
  const typed = {
    domain: { name: 'DepositWallet', version: '1', chainId: CHAIN_ID, verifyingContract: wallet },
    types: BATCH_TYPES,
    primaryType: 'Batch',
    message: {
      wallet,
      nonce: BigInt(nonce),
      deadline: BigInt(deadlineS),
      calls: calls.map(({ to, data }) => ({ target: to, value: 0n, data })),
    },
  } as const;
  const id = hashTypedData(typed);
  const request = {
    ...common('WALLET', signer, nonce, id, await signer.signTypedData(typed)),
    to: DEPOSIT_WALLET_FACTORY,
    depositWalletParams: {
      depositWallet: wallet,
      deadline: String(deadlineS),
      calls: calls.map(({ to, data }) => ({ target: to, value: '0', data })),
    },
  };
  return { id, request };
}

async function signSafe({ signer, wallet, nonce, calls }: Unsigned): Promise<Signed> {
  const { to, data, operation } = inOneCall(calls);
  const id = hashTypedData({
    domain: { chainId: CHAIN_ID, verifyingContract: wallet },
    types: SAFE_TYPES,
    primaryType: 'SafeTx',
    message: {
      to,
      value: 0n,
      data,
      operation,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: BigInt(nonce),
    },
  });
  const plain = await signer.signMessage({ message: { raw: id } });
  const v = Number.parseInt(plain.slice(-2), 16) + MESSAGE_V;
  const request = {
    ...common('SAFE', signer, nonce, id, `${plain.slice(0, -2)}${v.toString(16)}`),
    to,
    proxyWallet: wallet,
    data,
    signatureParams: {
      gasPrice: '0',
      operation: String(operation),
      safeTxnGas: '0',
      baseGas: '0',
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
    },
  };
  return { id, request };
}

/** Several calls go through the contract that a Safe lets work in its name. */
function inOneCall(calls: readonly ContractCall[]): ContractCall & { operation: 0 | 1 } {
  const [only, ...more] = calls;
  if (only !== undefined && more.length === 0) return { ...only, operation: 0 };
  const packed = concatHex(
    calls.map(({ to, data }) => concatHex(['0x00', to, numberToHex(0, WORD), numberToHex(size(data), WORD), data])),
  );
  return { to: SAFE_MULTISEND, data: encodeFunctionData({ abi: MULTISEND_ABI, args: [packed] }), operation: 1 };
}

async function signProxy({ signer, wallet, nonce, calls, relay }: Unsigned): Promise<Signed> {
  if (relay === undefined) throw new VenueUnavailable('the relayer did not say who relays');
  const listed = calls.map(({ to, data }) => ({ typeCode: CALL_TYPE, to, value: 0n, data }));
  const data = encodeFunctionData({ abi: PROXY_ABI, args: [listed] });
  const word = (amount: string | number) => numberToHex(BigInt(amount), WORD);
  const relayedBy: Hex = `0x${relay.slice(2)}`;
  const id = keccak256(
    concatHex([
      ...[stringToHex('rlx:'), signer.address, PROXY_FACTORY, data],
      ...[word(0), word(0), word(PROXY_GAS), word(nonce)],
      ...[RELAY_HUB, relayedBy],
    ]),
  );
  const request = {
    ...common('PROXY', signer, nonce, id, await signer.signMessage({ message: { raw: id } })),
    to: PROXY_FACTORY,
    proxyWallet: wallet,
    data,
    signatureParams: { gasPrice: '0', gasLimit: PROXY_GAS, relayerFee: '0', relayHub: RELAY_HUB, relay: relayedBy },
  };
  return { id, request };
}

/** Its own hash goes along as a note, by which the submission is found again where the answer to it was lost. */
function common(type: WalletType, signer: LocalAccount, nonce: number, id: Hex, signature: string): RelayRequest {
  return { type, from: signer.address, nonce: String(nonce), signature, metadata: id };
}
