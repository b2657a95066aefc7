import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { type Book, bestAsk, bestBid } from '../book/book.ts';
import type { FeeSchedule } from '../market/market.ts';
import { takerFee } from '../opportunity/fee.ts';

/**
 * What a share of a member's first outcome can be had for and be sold short at, after fees, in micro-dollars. `high`: what
 * buying it costs, infinite where it is not on offer. `low`: what buying the other outcome instead leaves of a dollar, minus
 * infinity where it is not on offer. Of a member that has resolved both are its value.
 */
export type Bounds = { low: number; high: number };

export const UNQUOTED: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Bounds from the book of the first outcome: the other outcome costs a dollar less the first one's bid. */
export function boundsOfBook(book: Book | undefined, feeSchedule: FeeSchedule | null): Bounds {
  if (book === undefined || feeSchedule === null) return UNQUOTED;
  const ask = bestAsk(book);
  const bid = bestBid(book);
  const high = ask === null ? UNQUOTED.high : ask + takerFee(ONE_SHARE, ask, feeSchedule);
  const low = bid === null ? UNQUOTED.low : bid - takerFee(ONE_SHARE, (PRICE_ONE - bid) as Price, feeSchedule);
  return { low, high };
}

/** A member that was voided, at half a dollar say, does not tell how the others may turn out: it is as good as unquoted. */
export function boundsOfResolved(value: Price): Bounds {
  return value === 0 || value === PRICE_ONE ? { low: value, high: value } : UNQUOTED;
}
