/** A venue for tests of pricing: markets and books are what the test says, and change when it says so. */

import { KeptBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import {
  type BookSnapshot,
  type FeedTrust,
  type MarketStream,
  type MarketStreamEvents,
  type Quote,
  type StreamedBook,
  type Venue,
  VenueBusy,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import type { Clock } from '../../../platform/runtime/runtime.ts';

/** `['0.45', '100']`: 100 shares at 45 cents. */
export type PlainLevel = readonly [price: string, size: string];

export type ScriptedMarkets = {
  venue: Venue;
  /** Lists a market with outcomes Yes and No, whose tokens are its id with `:yes` and `:no` behind it. */
  list: (id: string, fields?: Partial<Market>) => Market;
  unlist: (id: string) => void;
  /** Changes the books of some tokens at once, as one group of frames. */
  setBooks: (books: Record<string, { asks: readonly PlainLevel[]; bids?: readonly PlainLevel[] }>) => void;
  setQuote: (quote: Quote) => void;
  trust: (tokenId: string, trust: FeedTrust) => void;
  resolve: (marketId: string) => void;
  changeTick: (tokenId: string, tick: string) => void;
  /** While false, nothing that is asked over REST is answered. */
  answers: boolean;
  /** While true, reads without trading priority are asked to retry in two seconds. */
  isBusy: boolean;
  /** Calls over REST, by name. */
  calls: string[];
  subscribed: () => Set<string>;
};

type Open = {
  events: MarketStreamEvents;
  tokens: Set<string>;
  trust: Map<string, FeedTrust>;
  books: Map<string, StreamedBook>;
};

export function scriptedMarkets(clock: Clock): ScriptedMarkets {
  const markets = new Map<string, Market>();
  const snapshots = new Map<string, BookSnapshot>();
  const quotes = new Map<string, Quote>();
  const streams = new Set<Open>();

  const scripted: ScriptedMarkets = {
    answers: true,
    isBusy: false,
    calls: [],
    venue: {
      names: ['polymarket'],
      trading: null,
      catalogue: {
        searchMarkets: ({ skip, limit }) =>
          answered(scripted, 'searchMarkets', {
            data: [...markets.values()].slice(skip, skip + limit),
            count: markets.size,
          }),
        searchLeftOut: () => answered(scripted, 'searchLeftOut', { data: [], count: 0 }),
        marketsById: (ids, priority) => answered(scripted, 'marketsById', found(ids, markets), priority),
        whyLeftOut: () => null,
        onCompared: () => {},
        readEvents: async function* () {},
        eventsById: async () => [],
      },
      prices: {
        fetchBooks: (tokenIds, priority) => answered(scripted, 'fetchBooks', found(tokenIds, snapshots), priority),
        fetchQuotes: (tokenIds, priority) => answered(scripted, 'fetchQuotes', found(tokenIds, quotes), priority),
      },
      openMarketStream: (events) => openStream(clock, streams, snapshots, events),
      openUserStream: () => ({ connected: () => false, close: async () => {} }),
      chain: null,
      serverTime: () => answered(scripted, 'serverTime', clock.now()),
      forget: () => void scripted.calls.push('forget'),
      close: async () => {},
    },
    list: (id, fields = {}) => {
      const market = { ...plainMarket(id), ...fields };
      markets.set(id, market);
      return market;
    },
    unlist: (id) => void markets.delete(id),
    setBooks: (books) => {
      for (const [tokenId, { asks, bids }] of Object.entries(books)) {
        const snapshot = { tokenId, asks: levels(asks), bids: levels(bids ?? []), timestamp: clock.now(), tick: null };
        snapshots.set(tokenId, snapshot);
        for (const stream of streams) show(stream, snapshot);
      }
      for (const { events, tokens } of streams) {
        const changed = Object.keys(books).filter((tokenId) => tokens.has(tokenId));
        if (changed.length > 0) events.onBooks(changed);
      }
    },
    setQuote: (quote) => void quotes.set(quote.tokenId, quote),
    trust: (tokenId, trust) => {
      for (const { events, books, trust: said } of streams) {
        said.set(tokenId, trust);
        const streamed = books.get(tokenId);
        if (streamed) streamed.trust = trust;
        events.onTrust([tokenId], trust);
      }
    },
    resolve: (marketId) => {
      for (const { events } of streams) events.onResolved(marketId, `${marketId}:yes`);
    },
    changeTick: (tokenId, tick) => {
      for (const { events } of streams) events.onTick(tokenId, tickFromText(tick));
    },
    subscribed: () => new Set([...streams].flatMap(({ tokens }) => [...tokens])),
  };
  return scripted;
}

function found<Value>(ids: readonly string[], from: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...from].filter(([id]) => ids.includes(id)));
}

function openStream(
  clock: Clock,
  streams: Set<Open>,
  snapshots: ReadonlyMap<string, BookSnapshot>,
  events: MarketStreamEvents,
): MarketStream {
  const open: Open = { events, tokens: new Set(), trust: new Map(), books: new Map() };
  streams.add(open);
  return {
    subscribe: (tokenIds) => {
      for (const tokenId of tokenIds) {
        open.tokens.add(tokenId);
        const snapshot = snapshots.get(tokenId);
        if (snapshot) show(open, { ...snapshot, timestamp: clock.now() });
      }
      events.onBooks(tokenIds);
    },
    unsubscribe: (tokenIds) => {
      for (const tokenId of tokenIds) open.tokens.delete(tokenId);
    },
    book: (tokenId) => (open.tokens.has(tokenId) ? open.books.get(tokenId) : undefined),
    isConnected: () => true,
    health: () => ({
      sockets: 1,
      connected: 1,
      sound: 1,
      readsFail: false,
      tokens: open.tokens.size,
      staleTokens: [...open.trust.values()].filter((trust) => trust === 'stale').length,
    }),
    close: async () => void streams.delete(open),
  };
}

function show({ books, trust: said }: Open, { tokenId, bids, asks, timestamp }: BookSnapshot): void {
  const book = books.get(tokenId)?.book ?? new KeptBook();
  replaceBook(book, bids, asks);
  const trust = said.get(tokenId) ?? 'live';
  books.set(tokenId, { book, trust, receivedAt: timestamp, venueTimestamp: timestamp });
}

function levels(plain: readonly PlainLevel[]): Level[] {
  return plain.map(([price, size]) => ({ price: priceFromText(price), size: sharesFromText(size) }));
}

function plainMarket(id: string): Market {
  const outcomes = [
    { outcome: 'Yes', tokenId: `${id}:yes` },
    { outcome: 'No', tokenId: `${id}:no` },
  ];
  return marketOf(id, { outcomes, feeSchedule: feeOf(0) });
}

async function answered<Result>(
  { calls, answers, isBusy }: ScriptedMarkets,
  name: string,
  result: Result,
  priority?: ReadPriority,
): Promise<Result> {
  if (isBusy && priority === 'display') throw new VenueBusy('the scripted venue is busy', 2000);
  calls.push(name);
  if (!answers) throw new VenueUnavailable('the scripted venue is silent');
  return result;
}
