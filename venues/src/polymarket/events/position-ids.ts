/** What a token of Protocol V2 says of itself, from the most significant bit: module 8, hash 128, arity 16, reserved 64, chain 16, condition 16, outcome 8. */
import type { TokenId } from '@dutchbook/units/ids.ts';

export type PositionIdParts = { module: number; arity: number; condition: number; outcome: number };

/** Null where it is no decimal number of 256 bits at most. */
export function positionIdParts(tokenId: TokenId): PositionIdParts | null {
  if (!/^\d{1,78}$/.test(tokenId)) return null;
  const id = BigInt(tokenId);
  if (id >= 1n << 256n) return null;
  const bits = (from: bigint, count: bigint) => Number((id >> from) & ((1n << count) - 1n));
  return { module: bits(248n, 8n), arity: bits(104n, 16n), condition: bits(8n, 16n), outcome: bits(0n, 8n) };
}
