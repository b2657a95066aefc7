import { type Book, bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { divInteger } from '@dutchbook/units/micro.ts';
import { addPrices, type Price } from '@dutchbook/units/price.ts';
import type { LiveQuote } from '../../markets/live-quotes.ts';
import type { HeldBook } from './books.ts';

export type KnownOfPosition = {
  tokenId: string | null;
  /** null: the venue does not know the market; undefined: it was not asked. */
  market: Market | null | undefined;
  whyLeftOut: string | null;
  held: HeldBook | undefined;
  midpoint: Price | null;
  lastTrade: Price | null;
};

export function liveQuote({ leg, marketId, outcome }: Position, known: KnownOfPosition): LiveQuote {
  return {
    leg,
    marketId,
    outcome,
    tokenId: known.tokenId,
    market: known.market ?? undefined,
    whyLeftOut: known.whyLeftOut,
    book: known.held?.book,
    midpoint: known.midpoint,
    lastTrade: known.lastTrade,
    feed: known.held?.feed ?? 'none',
    bookAgeMs: known.held?.ageMs ?? null,
  };
}

/** Whether a healthy stream feeds the book now. */
export function isStreamed({ feed }: Pick<LiveQuote, 'feed'>): boolean {
  return feed === 'live' || feed === 'verified';
}

/** Whether every book is one that may be acted on, and every market has been compared with the venue's second source. */
export function canTrigger(quotes: readonly Pick<LiveQuote, 'feed' | 'market'>[]): boolean {
  return quotes.every((quote) => (isStreamed(quote) || quote.feed === 'polled') && quote.market?.differences !== null);
}

/** Halfway between best bid and best ask, rounded up; null when a side is empty. */
export function midpointOf(book: Book | undefined): Price | null {
  if (book === undefined) return null;
  const bid = bestBid(book);
  const ask = bestAsk(book);
  return bid === null || ask === null ? null : (divInteger(addPrices(bid, ask), 2, 'up') as Price);
}
