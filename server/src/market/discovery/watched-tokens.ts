import type { TokenId } from '@dutchbook/units/ids.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import type { MarketStream } from '@dutchbook/venues/venue.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';

export type WatchedTokens = ReturnType<typeof watchTokens>['tokens'];

/** The tokens of relations that are watched, of each market its first outcome, as they are recorded. */
export function watchTokens(books: Pick<MarketStream, 'subscribe' | 'unsubscribe' | 'book'>, clock: Clock) {
  const watched = new Set<string>();
  const listeners = openListeners<[tokenIds: readonly TokenId[]]>();
  return {
    subscribe: (tokenIds: readonly TokenId[]) => {
      for (const tokenId of tokenIds) watched.add(tokenId);
      books.subscribe(tokenIds);
    },
    unsubscribe: (tokenIds: readonly TokenId[]) => {
      for (const tokenId of tokenIds) watched.delete(tokenId);
      books.unsubscribe(tokenIds);
      listeners.call(tokenIds);
    },
    /** Books, or the trust in them, have changed, and the screen has judged them. */
    changed: listeners.call,
    tokens: {
      ids: () => [...watched],
      watches: (tokenId: TokenId) => watched.has(tokenId),
      held: (tokenId: TokenId) => {
        const held = books.book(tokenId);
        if (held === undefined) return undefined;
        const ageMs = held.trust === 'stale' ? Math.max(0, elapsedMs(held.receivedAt, clock.now())) : 0;
        return { book: held.book, feed: held.trust, ageMs, venueTimestamp: held.venueTimestamp };
      },
      /** Whose book mirrors it is not watched. */
      other: () => null,
      onChange: listeners.add,
    },
  };
}
