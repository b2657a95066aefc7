/** Checks of quotes that are not about their price. */
import { divInteger } from '@dutchbook/units/micro.ts';
import { addPrices, type Price } from '@dutchbook/units/price.ts';
import { type Book, bestAsk, bestBid } from '../book/book.ts';
import type { GateQuote } from '../risk/context.ts';

/** Whether a healthy stream feeds the book now. */
export function isStreamed({ feed }: Pick<GateQuote, 'feed'>): boolean {
  return feed === 'live' || feed === 'verified';
}

/** Whether every book is one that may be acted on, and every market has been compared with the venue's second source. */
export function canTrigger(quotes: readonly Pick<GateQuote, 'feed' | 'market'>[]): boolean {
  return quotes.every((quote) => (isStreamed(quote) || quote.feed === 'polled') && quote.market?.differences !== null);
}

/** Halfway between best bid and best ask, rounded up; null when a side is empty. */
export function midpointOf(book: Book | undefined): Price | null {
  if (book === undefined) return null;
  const bid = bestBid(book);
  const ask = bestAsk(book);
  return bid === null || ask === null ? null : (divInteger(addPrices(bid, ask), 2, 'up') as Price);
}
