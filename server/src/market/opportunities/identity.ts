/** The content hash that tells duplicates, and the stored form of legs. */
import { createHash } from 'node:crypto';
import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';
import { canonicalPositions, type Position } from '@dutchbook/engine/opportunity/position.ts';

/** The positions in the order of the legs. */
export function positionsOf(legs: MarketCombinations): Position[] {
  return legs.flatMap(({ leg, markets }) => markets.map(({ id, outcome }) => ({ leg, marketId: id, outcome })));
}

/** SHA-256, in hex, over the sorted (market id, outcome) pairs: legs and spelling make no difference. */
export function contentHash(legs: MarketCombinations): string {
  return createHash('sha256')
    .update(canonicalPositions(positionsOf(legs)))
    .digest('hex');
}

/** The legs without the blanks that a spreadsheet leaves around ids and outcomes. */
export function withoutBlanks(legs: MarketCombinations): MarketCombinations {
  return legs.map(({ leg, markets }) => ({
    leg,
    markets: markets.map(({ id, outcome }) => ({ id: id.trim(), outcome: outcome.trim() })),
  }));
}

/** Whether a position stands twice under two spellings: the set would be one of fewer, larger positions. */
export function repeatsPosition(legs: MarketCombinations): boolean {
  const pairs = positionsOf(legs).map((position) => canonicalPositions([position]));
  return new Set(pairs).size < pairs.length;
}
