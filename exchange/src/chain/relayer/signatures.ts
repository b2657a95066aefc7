import { type Hex, hashMessage, hashTypedData } from 'viem';
import { signerOf } from '../../adapters/polymarket/signed-order.ts';
import { CHAIN_ID } from '../rpc/raw-transaction.ts';
import { proxyHash } from './proxy.ts';
import type { BatchBody, SafeBody, SubmitBody } from './submission.ts';

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

/** Above this, the recovery byte of a Safe's signature says that the hash was signed as a message. */
const MESSAGE_V = 30;
const MESSAGE_OFFSET = 4;

/** The address whose key signed a submission, as the wallet's contract finds it; undefined when there is none. */
export function submissionSigner(body: SubmitBody): Hex | undefined {
  if (body.type === 'WALLET') return signerOf(batchHash(body), body.signature);
  if (body.type === 'PROXY') return signerOf(proxyHash(body), body.signature);
  const v = Number.parseInt(body.signature.slice(-2), 16);
  if (v <= MESSAGE_V) return signerOf(safeHash(body), body.signature);
  const plain = `${body.signature.slice(0, -2)}${(v - MESSAGE_OFFSET).toString(16)}` as Hex;
  return signerOf(hashMessage({ raw: safeHash(body) }), plain);
}

function batchHash({ nonce, depositWalletParams }: BatchBody): Hex {
  const { depositWallet, deadline, calls } = depositWalletParams;
  return hashTypedData({
    domain: { name: 'DepositWallet', version: '1', chainId: CHAIN_ID, verifyingContract: depositWallet },
    types: BATCH_TYPES,
    primaryType: 'Batch',
    message: {
      wallet: depositWallet,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      calls: calls.map(({ target, value, data }) => ({ target, value: BigInt(value), data })),
    },
  });
}

function safeHash({ proxyWallet, to, value, data, nonce, signatureParams }: SafeBody): Hex {
  const { operation, safeTxnGas, baseGas, gasPrice, gasToken, refundReceiver } = signatureParams;
  return hashTypedData({
    domain: { chainId: CHAIN_ID, verifyingContract: proxyWallet },
    types: SAFE_TYPES,
    primaryType: 'SafeTx',
    message: {
      to,
      value: BigInt(value),
      data,
      operation: Number(operation),
      safeTxGas: BigInt(safeTxnGas),
      baseGas: BigInt(baseGas),
      gasPrice: BigInt(gasPrice),
      gasToken,
      refundReceiver,
      nonce: BigInt(nonce),
    },
  });
}
