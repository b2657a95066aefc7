import { createBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { type BookSnapshot, type VenuePrices, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { World } from '../../world/world.ts';
import type { BookEvents, BookSource, HeldBook } from './book-source.ts';
import { inChunks } from './chunks.ts';

const POLL_MS = 2000;
/** A polled book is in doubt once several polls in a row have brought nothing. */
const STALE_AFTER_MS = 10_000;

/** `found` is undefined where the venue answered and had no book; `at` is when it was asked. */
export type Polled = { found: Pick<HeldBook, 'book' | 'venueTimestamp'> | undefined; at: Instant };

/** Books read over REST again and again: what ENABLE_WEBSOCKET=false asks for. */
export function pollBooks(
  prices: VenuePrices,
  { clock, timers, log }: Pick<World, 'clock' | 'timers' | 'log'>,
  events: BookEvents,
): BookSource {
  const wanted = new Set<string>();
  const polled = new Map<string, Polled>();

  const poll = async (tokenIds: readonly string[]) => {
    // Not when the answer came: it may have been long under way.
    const at = clock.now();
    const found = await prices.fetchBooks(tokenIds);
    const answered = tokenIds.filter((tokenId) => wanted.has(tokenId));
    for (const tokenId of answered) polled.set(tokenId, polledBook(found.get(tokenId), at));
    events.onBooks(answered);
  };
  const pollAll = async () => {
    try {
      await inChunks(timers, [...wanted], poll);
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      log.warn({ reason: error.message }, 'the venue did not answer for its books');
    }
  };
  const ageOf = (entry: Polled) => ageMsOf(entry, clock.now());
  const isStale = (entry: Polled) => ageOf(entry) > STALE_AFTER_MS;
  const stops = [timers.after(0, pollAll), timers.every(POLL_MS, pollAll)];

  return {
    add: (tokenIds) => {
      for (const tokenId of tokenIds) wanted.add(tokenId);
    },
    remove: (tokenIds) => {
      for (const tokenId of tokenIds) {
        wanted.delete(tokenId);
        polled.delete(tokenId);
      }
    },
    held: (tokenId) => {
      const entry = polled.get(tokenId);
      if (entry?.found === undefined) return undefined;
      return { ...entry.found, feed: isStale(entry) ? 'stale' : 'polled', ageMs: ageOf(entry) };
    },
    hasAnswered: (tokenId) => polled.has(tokenId),
    health: () => ({
      sockets: 0,
      connected: 0,
      tokens: wanted.size,
      staleTokens: [...polled.values()].filter(isStale).length,
    }),
    stop: async () => {
      for (const stop of stops) stop();
    },
  };
}

/** A snapshot's levels come in any order. */
export function polledBook(snapshot: BookSnapshot | undefined, at: Instant): Polled {
  if (snapshot === undefined) return { found: undefined, at };
  const book = createBook();
  replaceBook(book, snapshot.bids, snapshot.asks);
  return { found: { book, venueTimestamp: snapshot.timestamp }, at };
}

export function ageMsOf({ at }: Polled, now: Instant): number {
  return Math.max(0, elapsedMs(at, now));
}
