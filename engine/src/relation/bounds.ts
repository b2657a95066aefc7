import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { type Book, bestAsk, bestBid } from '../book/book.ts';
import type { FeeSchedule } from '../market/market.ts';
import { takerFee } from '../opportunity/fee.ts';

/**
 * What a share of a member's first outcome can be had for and be sold short at, after fees, in whole micro-dollars. `high`:
 * what buying it costs. `low`: what buying the other outcome instead leaves of a dollar. A member that nobody quotes has 0
 * and 1,000,000; one that has resolved has both at its value.
 */
export type Bounds = { low: number; high: number };

export const UNQUOTED: Bounds = { low: 0, high: PRICE_ONE };

/** By the book of the first outcome: the other outcome costs what the first one's bid leaves of a dollar. */
export function boundsOfBook(book: Book | undefined, feeSchedule: FeeSchedule | null): Bounds {
  if (book === undefined || feeSchedule === null) return UNQUOTED;
  const ask = bestAsk(book);
  const bid = bestBid(book);
  const high = ask === null ? PRICE_ONE : ask + takerFee(ONE_SHARE, ask, feeSchedule);
  const low = bid === null ? 0 : bid - takerFee(ONE_SHARE, (PRICE_ONE - bid) as Price, feeSchedule);
  return { low, high };
}

/** A member that was voided, at half a dollar say, does not tell how the others may turn out: it is as good as unquoted. */
export function boundsOfResolved(value: Price): Bounds {
  return value === 0 || value === PRICE_ONE ? { low: value, high: value } : UNQUOTED;
}
