import type { Market } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExchangeControl } from './conformance/control.ts';
import { type ExchangeProcess, startExchangeProcess } from './conformance/exchange-process.ts';
import { POLYMARKET_DEFAULTS } from './polymarket/config.ts';
import { openPolymarket } from './polymarket/polymarket.ts';
import { prefixed } from './prefixed-venue.fixture.ts';
import { type Venue, VenueUnavailable } from './venue.ts';
import { byVenue, openVenues, type VenueReads } from './venues.ts';

/** Two exchanges with the same markets; those of the second are named as another venue's. */
let exchanges: ExchangeProcess[];
let opened: Venue[];
let venues: VenueReads;
let market: Market;

const open = ({ url }: ExchangeProcess) =>
  openPolymarket(
    {
      ...POLYMARKET_DEFAULTS,
      ...{ clobUrl: url, gammaUrl: `${url}/gamma`, dataUrl: `${url}/data-api`, privateKey: null },
      wsUrl: `${url.replace('http', 'ws')}/ws`,
      requestTimeoutMs: 2_000,
    },
    {
      now: () => instantFromMs(Date.now()),
      random: Math.random,
      log: { info: () => undefined, warn: () => undefined },
    },
  );

beforeAll(async () => {
  exchanges = await Promise.all([{ isPaused: true }, { isPaused: true }].map(startExchangeProcess));
  opened = await Promise.all(exchanges.map(open));
  const [first, second] = opened as [Venue, Venue];
  venues = openVenues(first, prefixed('kalshi', second));
  [market] = (await first.catalogue.searchMarkets({ skip: 0, limit: 1 })).data as [Market];
});

afterAll(async () => {
  await Promise.all(opened.map((venue) => venue.close()));
  await Promise.all(exchanges.map((exchange) => exchange.stop()));
});

async function pagesFrom(cursor: string | null, venue: VenueName) {
  const pages: { events: CatalogueEvent[]; cursor: string | null }[] = [];
  for await (const page of venues.catalogue.readEvents(cursor, venue)) pages.push(page);
  return pages;
}

const tokenOf = (place: 0 | 1) => market.outcomes[place]?.tokenId ?? '';

it('is that venue itself where there is one', () => {
  const [first] = opened as [Venue];
  expect(openVenues(first)).toBe(first);
});

it('lists the markets of both, one behind the other, and looks an event up at its own', async () => {
  const whole = await venues.catalogue.searchMarkets({ skip: 0, limit: 1000 });
  const half = whole.count / 2;
  expect([...byVenue(whole.data.map(({ id }) => id))].map(([name, ids]) => [name, ids.length])).toEqual([
    ['polymarket', half],
    ['kalshi', half],
  ]);
  const across = await venues.catalogue.searchMarkets({ skip: half - 2, limit: 4 });
  expect(across.data.map(({ id }) => id)).toEqual(whole.data.slice(half - 2, half + 2).map(({ id }) => id));
  const event = `kalshi:${market.event?.id}`;
  const ofEvent = await venues.catalogue.searchMarkets({ event, skip: 0, limit: 100 });
  expect(new Set(ofEvent.data.map((each) => each.event?.id))).toEqual(new Set([event]));
});

it('reads markets, events and books by their ids at the venue of each', async () => {
  const ids = [`kalshi:${market.id}`, market.id];
  expect([...(await venues.catalogue.marketsById([...ids, 'kalshi:unknown'])).keys()].sort()).toEqual(ids.toSorted());
  const eventIds = [market.event?.id ?? '', `kalshi:${market.event?.id}`];
  const events = await venues.catalogue.eventsById(eventIds, 'following');
  expect(events.map(({ id }) => id)).toEqual(eventIds);
  const [one, other] = exchanges.map(({ url }) => new ExchangeControl(url)) as [ExchangeControl, ExchangeControl];
  await one.quote(tokenOf(0), [], [['0.4', '10']]);
  await other.quote(tokenOf(0), [], [['0.6', '10']]);
  const books = await venues.prices.fetchBooks([tokenOf(0), `kalshi:${tokenOf(0)}`]);
  expect([...books].map(([id, { asks }]) => [id, asks[0]?.price])).toEqual([
    [tokenOf(0), 400_000],
    [`kalshi:${tokenOf(0)}`, 600_000],
  ]);
});

it('reads the events of each by itself, and goes on behind any page', async () => {
  const counts = [];
  for (const venue of venues.names) {
    const pages = await pagesFrom(null, venue);
    const ids = pages.flatMap(({ events }) => events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(byVenue(ids).get(venue)).toHaveLength(ids.length);
    counts.push(ids.length);
    for (const [place, { cursor }] of pages.slice(0, -1).entries()) {
      const [next] = await pagesFrom(cursor, venue);
      expect(next?.events.map(({ id }) => id)).toEqual(pages[place + 1]?.events.map(({ id }) => id));
    }
    expect(pages.at(-1)?.cursor).toBeNull();
  }
  expect(new Set(counts).size).toBe(1);
});

it('streams the books of both, and tells the health of each, also when one is gone', async () => {
  const changed: string[] = [];
  const stream = venues.openMarketStream({
    onBooks: (tokenIds) => changed.push(...tokenIds),
    onTrust: () => undefined,
    onTick: () => undefined,
    onResolved: () => undefined,
  });
  const tokens = [tokenOf(0), `kalshi:${tokenOf(0)}`];
  stream.subscribe(tokens);
  await expect.poll(() => tokens.map((id) => stream.book(id)?.trust)).not.toContain(undefined);
  expect(tokens.map((id) => stream.book(id)?.book.asks[0]?.price)).toEqual([400_000, 600_000]);
  expect(new Set(changed)).toEqual(new Set(tokens));
  await exchanges[1]?.stop();
  await expect.poll(() => stream.isConnected(tokens[1] ?? '')).toBe(false);
  expect(stream.isConnected(tokens[0] ?? '')).toBe(true);
  expect([stream.health('polymarket').connected, stream.health('kalshi').connected, stream.health().sockets]).toEqual([
    1, 0, 2,
  ]);
  expect([...(await venues.prices.fetchBooks([tokenOf(0)])).keys()]).toEqual([tokenOf(0)]);
  await expect(venues.prices.fetchBooks(tokens)).rejects.toThrow(VenueUnavailable);
  await stream.close();
});
