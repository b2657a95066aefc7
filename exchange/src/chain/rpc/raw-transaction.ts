import {
  type Hex,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';
import type { TransactionFields } from '../transactions.ts';
import { RpcError } from './error.ts';

export const CHAIN_ID = 137;
const RAW_MAX_CHARS = 262_144;

/** The transaction that a key has signed. @throws RpcError for bytes that are none, or one of another chain */
export async function signedTransaction(raw: string): Promise<TransactionFields> {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(raw)) throw new RpcError(-32_602, 'invalid argument 0: not a hex string');
  if (raw.length > RAW_MAX_CHARS) throw new RpcError(-32_000, 'oversized data');
  const serialized = raw as TransactionSerialized;
  try {
    const parsed = parseTransaction(serialized);
    const { type } = parsed;
    if (type !== 'legacy' && type !== 'eip1559' && type !== 'eip2930') {
      throw new RpcError(-32_000, 'transaction type not supported');
    }
    if (parsed.chainId !== CHAIN_ID) throw new RpcError(-32_000, 'invalid chain id for signer');
    const price = parsed.gasPrice ?? 0n;
    return {
      hash: keccak256(serialized),
      from: await recoverTransactionAddress({ serializedTransaction: serialized as never }),
      to: parsed.to ?? null,
      nonce: parsed.nonce ?? 0,
      gas: Number(parsed.gas ?? 0n),
      maxFeePerGas: numberToHex(parsed.maxFeePerGas ?? price),
      maxPriorityFeePerGas: numberToHex(parsed.maxPriorityFeePerGas ?? price),
      value: numberToHex(parsed.value ?? 0n),
      data: (parsed.data ?? '0x') as Hex,
      type,
    };
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new RpcError(-32_000, 'transaction could not be decoded');
  }
}
