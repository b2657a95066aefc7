import type { Instant } from '@dutchbook/units/instant.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import type { MarketStreamEvents, Venue } from '@dutchbook/venues/venue.ts';
import type { Clock } from '../../world/world.ts';
import type { BookEvents, BookSource } from './book-source.ts';

/** How long after subscribing a connected stream may leave a token without its first snapshot. */
const FIRST_BOOK_MS = 10_000;

type StreamFacts = BookEvents & Pick<MarketStreamEvents, 'onTick' | 'onResolved'>;

/** Books as the venue streams them; what it cannot vouch for just now is marked stale. */
export function streamBooks(venue: Venue, clock: Clock, events: StreamFacts): BookSource {
  const since = new Map<string, Instant>();
  const stream = venue.openMarketStream({
    onBooks: events.onBooks,
    onTrust: (tokenIds) => events.onBooks(tokenIds),
    onTick: events.onTick,
    onResolved: events.onResolved,
  });
  return {
    add: (tokenIds) => {
      for (const tokenId of tokenIds) since.set(tokenId, clock.now());
      stream.subscribe(tokenIds);
    },
    remove: (tokenIds) => {
      for (const tokenId of tokenIds) since.delete(tokenId);
      stream.unsubscribe(tokenIds);
    },
    held: (tokenId) => {
      const streamed = stream.book(tokenId);
      if (streamed === undefined) return undefined;
      const ageMs = streamed.trust === 'stale' ? Math.max(0, elapsedMs(streamed.receivedAt, clock.now())) : 0;
      return { book: streamed.book, feed: streamed.trust, ageMs, venueTimestamp: streamed.venueTimestamp };
    },
    hasAnswered: (tokenId) => {
      if (stream.book(tokenId) !== undefined) return true;
      const added = since.get(tokenId);
      return added !== undefined && stream.isConnected() && elapsedMs(added, clock.now()) > FIRST_BOOK_MS;
    },
    health: () => stream.health(),
    stop: () => stream.close(),
  };
}
