/** The books of the tokens that are followed: from the venue's stream, or polled while ENABLE_WEBSOCKET is off. */

import { setImmediate } from 'node:timers/promises';
import type { Feed } from '@dutchbook/contract/opportunities.ts';
import { type Book, KeptBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import { type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { BookSnapshot, MarketStreamEvents, StreamHealth } from '@dutchbook/venues/venue.ts';
import type { VenueReads } from '@dutchbook/venues/venues.ts';
import { byVenue } from '@dutchbook/venues/venues.ts';
import type { WatchedSettings } from '../../../people/system-settings/watched-settings.ts';
import type { Clock, Runtime } from '../../../platform/runtime/runtime.ts';
import { answered, inChunks } from './venue-reads.ts';

/** Asked for anew per tick of the event loop. */
const TOKENS_PER_SLICE = 2000;
const POLL_MS = 2000;
/** A polled book is stale once several polls in a row have brought nothing. */
const STALE_AFTER_MS = 10_000;
/** How long after subscribing a connected stream may leave a token without its first snapshot. */
const FIRST_BOOK_MS = 10_000;

/**
 * `ageMs`: since the book was last known to be right, which one of a healthy stream is at every moment.
 * `venueTimestamp`: when it last changed, by the venue.
 */
export type HeldBook = { book: Book; feed: Exclude<Feed, 'none'>; ageMs: number; venueTimestamp: Instant };
/** The book itself, which changes in place and can be followed. */
export type KeptHeldBook = HeldBook & { book: KeptBook };

type BookSource = {
  add: (tokenIds: readonly TokenId[]) => void;
  remove: (tokenIds: readonly TokenId[]) => void;
  held: (tokenId: TokenId) => KeptHeldBook | undefined;
  /** Whether having no book means that there is none, and not that none has come yet. */
  hasAnswered: (tokenId: TokenId) => boolean;
  /** Health of a venue, or of all. */
  health: (venue?: VenueName) => StreamHealth;
  stop: () => Promise<void>;
};

export type Books = BookSource & {
  isStreamed: () => boolean;
  /** Lets go of every book and asks for all of them anew. */
  restart: () => void;
};

type BookEvents = Pick<MarketStreamEvents, 'onTick' | 'onResolved'> & {
  /** Tokens whose book, or the trust in it, has changed: once per group of frames. */
  onBooks: (tokenIds: readonly TokenId[]) => void;
};

/** Books from the stream or from polling, as ENABLE_WEBSOCKET says; follows changes of that setting. */
export function openBooks(
  runtime: Pick<Runtime, 'clock' | 'timers' | 'log'>,
  venue: VenueReads,
  settings: WatchedSettings,
  events: BookEvents,
): Books {
  const wanted = new Set<string>();
  const open = () => (streamed ? streamBooks(venue, runtime.clock, events) : pollBooks(venue, runtime, events));
  let streamed = settings.current().ENABLE_WEBSOCKET;
  let books = open();
  let isStopped = false;

  /** Requests canceled before they are due are left out. */
  const addWanted = async (opened: BookSource) => {
    const tokenIds = [...wanted];
    for (let start = 0; start < tokenIds.length; start += TOKENS_PER_SLICE) {
      if (start > 0) await setImmediate();
      if (books !== opened || isStopped) return;
      const slice = tokenIds.slice(start, start + TOKENS_PER_SLICE).filter((tokenId) => wanted.has(tokenId));
      opened.add(slice);
      events.onBooks(slice);
    }
  };
  const restart = () => {
    const before = books;
    books = open();
    void addWanted(books);
    before.stop().catch((error: unknown) => runtime.log.error({ err: error }, 'book feed did not close cleanly'));
  };
  const stopFollowing = settings.onChange(() => {
    if (settings.current().ENABLE_WEBSOCKET === streamed) return;
    streamed = !streamed;
    restart();
  });

  return {
    isStreamed: () => streamed,
    restart,
    add: (tokenIds) => {
      for (const tokenId of tokenIds) wanted.add(tokenId);
      books.add(tokenIds);
    },
    remove: (tokenIds) => {
      for (const tokenId of tokenIds) wanted.delete(tokenId);
      books.remove(tokenIds);
    },
    held: (tokenId) => books.held(tokenId),
    hasAnswered: (tokenId) => books.hasAnswered(tokenId),
    health: (name) => books.health(name),
    stop: async () => {
      isStopped = true;
      stopFollowing();
      await books.stop();
    },
  };
}

function streamBooks(venue: VenueReads, clock: Clock, { onBooks, onTick, onResolved }: BookEvents): BookSource {
  const since = new Map<string, Instant>();
  const stream = venue.openMarketStream({ onBooks, onTrust: (tokenIds) => onBooks(tokenIds), onTick, onResolved });
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
      return added !== undefined && stream.isConnected(tokenId) && elapsedMs(added, clock.now()) > FIRST_BOOK_MS;
    },
    health: (name) => stream.health(name),
    stop: () => stream.close(),
  };
}

/** `found` is undefined where the venue answered and had no book; `at` is when it was asked. */
export type Polled = { found: Pick<KeptHeldBook, 'book' | 'venueTimestamp'> | undefined; at: Instant };

function pollBooks(
  { names, prices }: Pick<VenueReads, 'names' | 'prices'>,
  { clock, timers, log }: Pick<Runtime, 'clock' | 'timers' | 'log'>,
  { onBooks }: BookEvents,
): BookSource {
  const wanted = new Set<string>();
  const polled = new Map<string, Polled>();
  const answeredAt = new Map(names.map((name) => [name, clock.now()]));

  const poll = async (tokenIds: readonly TokenId[]) => {
    // The time of the request, not of the answer, which may have taken long.
    const at = clock.now();
    const found = await prices.fetchBooks(tokenIds, 'following');
    const stillWanted = tokenIds.filter((tokenId) => wanted.has(tokenId));
    for (const tokenId of stillWanted) {
      polled.set(tokenId, polledBook(found.get(tokenId), at, polled.get(tokenId)?.found?.book));
    }
    onBooks(stillWanted);
  };
  const pollAt = async (name: VenueName, tokenIds: readonly TokenId[]) => {
    if (await answered(log, 'books', () => inChunks(timers, tokenIds, poll))) answeredAt.set(name, clock.now());
  };
  const pollAll = async () => {
    const wantedAt = byVenue(wanted);
    await Promise.all(names.map((name) => pollAt(name, wantedAt.get(name) ?? [])));
  };
  const isStale = (entry: Polled) => ageMsOf(entry, clock.now()) > STALE_AFTER_MS;
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
      return { ...entry.found, feed: isStale(entry) ? 'stale' : 'polled', ageMs: ageMsOf(entry, clock.now()) };
    },
    hasAnswered: (tokenId) => polled.has(tokenId),
    health: (venue) => {
      const isAsked = (name: VenueName) => venue === undefined || name === venue;
      const asked = [...polled].filter(([tokenId]) => isAsked(venueOf(tokenId)));
      return {
        ...{ sockets: 0, connected: 0, sound: 0 },
        readsFail: [...answeredAt].some(([name, at]) => isAsked(name) && elapsedMs(at, clock.now()) > STALE_AFTER_MS),
        tokens: [...wanted].filter((tokenId) => isAsked(venueOf(tokenId))).length,
        staleTokens: asked.filter(([, entry]) => isStale(entry)).length,
      };
    },
    stop: async () => {
      for (const stop of stops) stop();
    },
  };
}

/** A snapshot's levels come in any order. `book`: that of the poll before, which becomes the one of this. */
export function polledBook(snapshot: BookSnapshot | undefined, at: Instant, book: KeptBook = new KeptBook()): Polled {
  if (snapshot === undefined) return { found: undefined, at };
  replaceBook(book, snapshot.bids, snapshot.asks);
  return { found: { book, venueTimestamp: snapshot.timestamp }, at };
}

export function ageMsOf({ at }: Polled, now: Instant): number {
  return Math.max(0, elapsedMs(at, now));
}
