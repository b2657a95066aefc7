import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Market } from '../market/market.ts';

/** One thing to buy: shares of one outcome of one market, under the number of the leg it belongs to. */
export type Position = { leg: number; marketId: MarketId; outcome: string };

/**
 * The text whose SHA-256 identifies an opportunity: its (market id, outcome) pairs, sorted, whatever their order, legs
 * or capital letters were.
 */
export function canonicalPositions(positions: readonly Position[]): string {
  const pairs = positions.map(({ marketId, outcome }) => JSON.stringify([marketId.trim(), canonicalOutcome(outcome)]));
  return `[${pairs.sort().join(',')}]`;
}

/** `reason` is a sentence that names the position. */
export type ResolvedPosition = { kind: 'resolved'; tokenId: TokenId } | { kind: 'unresolved'; reason: string };

/**
 * The token a position stands for. `market` is what the venue says of its market, undefined when it knows none or one that
 * cannot be traded here, for the reason `whyLeftOut`.
 */
export function resolvePosition(
  position: Position,
  market: Market | undefined,
  whyLeftOut: string | null = null,
): ResolvedPosition {
  const wanted = canonicalOutcome(position.outcome);
  const found = market?.outcomes.find(({ outcome }) => canonicalOutcome(outcome) === wanted);
  if (found !== undefined) return { kind: 'resolved', tokenId: found.tokenId };
  const unknown = whyLeftOut === null ? 'the venue does not know this market' : `cannot be traded here: ${whyLeftOut}`;
  const why = market === undefined ? unknown : `no such outcome, only ${listed(market)}`;
  return { kind: 'unresolved', reason: `${namePosition(position, market)}: ${why}` };
}

/** How messages name a position: `Leg 2 (Yes, "Will it rain?")`, with the market's id where its question is unknown. */
export function namePosition(position: Position, market: Market | undefined): string {
  const name = market === undefined ? `market ${position.marketId}` : `"${market.question}"`;
  return `Leg ${position.leg} (${position.outcome}, ${name})`;
}

function listed({ outcomes }: Market): string {
  return outcomes.map(({ outcome }) => `"${outcome}"`).join(' and ') || 'none';
}

/** Operators write "yes" where the venue writes "Yes"; both mean the same position. */
function canonicalOutcome(outcome: string): string {
  return outcome.trim().toLowerCase();
}
