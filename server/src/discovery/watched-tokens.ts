import { elapsedMs } from '@dutchbook/units/instant.ts';
import type { MarketStream } from '@dutchbook/venues/venue.ts';
import type { TokenBooks } from '../prices/quotes/quotes.ts';
import { openListeners } from '../runtime/listeners.ts';
import type { Clock } from '../runtime.ts';

/** The tokens of relations that are watched, of each market its first outcome. */
export type WatchedTokens = {
  tokens: TokenBooks;
  subscribe: (tokenIds: readonly string[]) => void;
  unsubscribe: (tokenIds: readonly string[]) => void;
  /** Books, or the trust in them, have changed, and whoever judges them has. */
  changed: (tokenIds: readonly string[]) => void;
};

export function watchTokens(
  books: Pick<MarketStream, 'subscribe' | 'unsubscribe' | 'book'>,
  clock: Clock,
): WatchedTokens {
  const watched = new Set<string>();
  const listeners = openListeners<[tokenIds: readonly string[]]>();
  return {
    subscribe: (tokenIds) => {
      for (const tokenId of tokenIds) watched.add(tokenId);
      books.subscribe(tokenIds);
    },
    unsubscribe: (tokenIds) => {
      for (const tokenId of tokenIds) watched.delete(tokenId);
      books.unsubscribe(tokenIds);
      listeners.call(tokenIds);
    },
    changed: listeners.call,
    tokens: {
      ids: () => [...watched],
      watches: (tokenId) => watched.has(tokenId),
      held: (tokenId) => {
        const held = books.book(tokenId);
        if (held === undefined) return undefined;
        const ageMs = held.trust === 'stale' ? Math.max(0, elapsedMs(held.receivedAt, clock.now())) : 0;
        return { book: held.book, feed: held.trust, ageMs, venueTimestamp: held.venueTimestamp };
      },
      other: () => null,
      onChange: listeners.add,
    },
  };
}
