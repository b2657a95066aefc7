import { isCrossed } from '../book/book.ts';
import type { Blocker, GateContext, GateQuote } from './context.ts';
import { firstOf } from './wording.ts';

/** Every book is there, recent, from a feed that can be trusted, and possible. Nothing is bought on a stale book. */
export function freshBooksGate({ quotes, settings }: GateContext): Blocker | null {
  const required = settings.maxBookAgeMs / 1000;
  return firstOf(
    quotes.flatMap((quote): Blocker[] => {
      const why = whyNotFresh(quote, settings.maxBookAgeMs);
      const actual = quote.bookAgeMs === null ? null : quote.bookAgeMs / 1000;
      return why === null ? [] : [{ gate: 'fresh-books', message: `leg ${quote.leg}: ${why}`, actual, required }];
    }),
  );
}

function whyNotFresh({ book, bookAgeMs, feed }: GateQuote, maxBookAgeMs: number): string | null {
  if (book === undefined || bookAgeMs === null || feed === 'none') return 'there is no book';
  const age = `book is ${Math.floor(bookAgeMs / 1000)} s old`;
  if (bookAgeMs > maxBookAgeMs) return `${age}, at most ${maxBookAgeMs / 1000} s is allowed`;
  if (feed === 'stale') return `${age} and its feed is stale`;
  return isCrossed(book) ? 'the bids of its book are not below its asks' : null;
}
