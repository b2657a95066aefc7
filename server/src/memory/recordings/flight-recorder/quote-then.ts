import { midpointOf } from '@dutchbook/engine/desk/quote.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { liveQuote } from '../../../market/prices/quotes/live-quote.ts';
import type { PastBooks } from './past-books.ts';

/** Quotes of a position by the recorded books. */
export function quoteThen(
  position: Position,
  { tokenId, market }: { tokenId: TokenId | null; market: Market | undefined },
  books: PastBooks,
  at: Instant,
): LiveQuote {
  const book = tokenId === null ? undefined : books.book(tokenId);
  const trust = tokenId === null ? 'none' : books.trust(tokenId);
  const isHeld = tokenId !== null && book !== undefined && trust !== 'none';
  return liveQuote(position, {
    tokenId,
    market,
    whyLeftOut: null,
    held: isHeld ? { book, feed: trust, ageMs: books.ageMs(tokenId, at) ?? 0, venueTimestamp: at } : undefined,
    midpoint: midpointOf(book),
    lastTrade: null,
  });
}
