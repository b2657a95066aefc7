import { recover } from 'tiny-secp256k1';
import { bytesToHex, type Hex, hashTypedData, hexToBytes } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { CHAIN_ID, type SigningDomain } from './contracts.ts';

/** The fields that the user signed, as they stand on the wire. */
export interface SignedOrder {
  readonly salt: number;
  readonly maker: Hex;
  readonly signer: Hex;
  readonly tokenId: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
  readonly side: 'BUY' | 'SELL';
  readonly signatureType: number;
  readonly timestamp: string;
  readonly metadata: Hex;
  readonly builder: Hex;
}

export const ORDER_FIELDS = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const;

/** The EIP-712 hash of an order under the exchange contract of its market; the venue uses it as the order's id. */
export function orderHash(order: SignedOrder, domain: SigningDomain): Hex {
  return hashTypedData({
    domain: exchangeDomain(domain),
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message: messageOf(order),
  });
}

export function exchangeDomain({ version, contract }: SigningDomain) {
  return { name: 'Polymarket CTF Exchange', version, chainId: CHAIN_ID, verifyingContract: contract };
}

export function messageOf(order: SignedOrder) {
  return {
    salt: BigInt(order.salt),
    maker: order.maker,
    signer: order.signer,
    tokenId: BigInt(order.tokenId),
    makerAmount: BigInt(order.makerAmount),
    takerAmount: BigInt(order.takerAmount),
    side: order.side === 'BUY' ? 0 : 1,
    signatureType: order.signatureType,
    timestamp: BigInt(order.timestamp),
    metadata: order.metadata,
    builder: order.builder,
  };
}

/** What the last byte of a signature says of the point it began with, as wallets write it and as contracts may. */
const RECOVERY_IDS = new Map<number | undefined, 0 | 1>([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);
const SIGNATURE = /^0x[\da-f]{130}$/i;
const RS_BYTES = 64;

/** The address whose key signed `hash`, or undefined for a malformed signature. */
export function signerOf(hash: Hex, signature: Hex): Hex | undefined {
  if (!SIGNATURE.test(signature)) return undefined;
  const bytes = hexToBytes(signature);
  const recoveryId = RECOVERY_IDS.get(bytes[RS_BYTES]);
  if (recoveryId === undefined) return undefined;
  try {
    const key = recover(hexToBytes(hash), bytes.subarray(0, RS_BYTES), recoveryId);
    return key === null ? undefined : publicKeyToAddress(bytesToHex(key));
  } catch {
    return undefined;
  }
}
