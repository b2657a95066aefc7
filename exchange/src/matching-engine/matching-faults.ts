import { roundSharesDown, type Shares } from '@dutchbook/units/shares.ts';
import type { IncomingOrder } from '../matching/order.ts';
import { crosses, planFills } from '../matching/plan.ts';
import type { Market, Token } from './market.ts';

/** The fault switches that the engine asks before it acts. */
export interface MatchingFaults {
  /** The share of the reachable liquidity that this order may match, or undefined for all of it. */
  partialFill(tokenId: string): number | undefined;
  /** Whether an order that finds all it wants is matched a little short of it. */
  matchesShort(tokenId: string): boolean;
  /** Whether this order is taken as delayed and dropped, and how much later. */
  dropsDelayed(tokenId: string): { readonly afterMs: number } | undefined;
  /** Whether the exchange cancels this order, which rests, and forgets it; `isSilent`: without telling its owner. */
  cancelsResting(tokenId: string): { readonly afterMs: number; readonly isSilent: boolean } | undefined;
}

/** Micro-shares that a faulted match falls short. */
export const SHORT_BY = 2_000;

/** Order sizes have two decimals. */
const ORDER_SIZE_STEP = 10_000;

/** The limits that faults put on an order's match; undefined without one. */
export function faultyLimits(
  token: Token,
  order: IncomingOrder,
  faults: MatchingFaults,
): Partial<IncomingOrder> | undefined {
  return shortMatch(token, order, faults) ?? cappedMatch(token, order, faults);
}

/** How much an order may match while a fault keeps liquidity from it. */
function cappedMatch({ market, tokenId }: Token, order: IncomingOrder, faults: MatchingFaults) {
  if (!crosses(market.book, order)) return undefined;
  const fraction = faults.partialFill(tokenId);
  if (fraction === undefined) return undefined;
  const matchable = matchableShares(market, order);
  return { matchAtMost: roundSharesDown(Math.floor(matchable * fraction) as Shares, ORDER_SIZE_STEP) };
}

/** An order for shares that finds all of them, while a fault matches it short: what is missing of it does not rest. */
function shortMatch({ market, tokenId }: Token, order: IncomingOrder, faults: MatchingFaults) {
  const { quantity } = order;
  const findsAll = quantity.kind === 'shares' && matchableShares(market, order) >= quantity.shares;
  if (!findsAll || quantity.shares <= SHORT_BY || !faults.matchesShort(tokenId)) return undefined;
  return { matchAtMost: (quantity.shares - SHORT_BY) as Shares, remainder: 'dies' } as const;
}

function matchableShares({ book }: Market, order: IncomingOrder): number {
  return planFills(book, order).fills.reduce((sum, { fill }) => sum + fill.shares, 0);
}
