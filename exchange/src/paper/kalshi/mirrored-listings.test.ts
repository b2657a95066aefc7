import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PACE } from '../options.ts';
import { UpstreamCalls } from '../upstream/calls.ts';
import { MirroredListings, marketText } from './mirrored-listings.ts';
import { ListingsReader } from './reader.ts';

const RANGES = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];

const SERIES = { ticker: 'S', title: 'S', fee_type: 'quadratic', fee_multiplier: 1 };

function market(ticker: string, change: object = {}) {
  return {
    ...{ ticker, event_ticker: 'E', market_type: 'binary', status: 'active', price_ranges: RANGES, result: '' },
    close_time: '2030-01-01T00:00:00Z',
    ...change,
  };
}

function listingsOf(markets: readonly (object | null)[], reading = 1): MirroredListings {
  const listings = new MirroredListings();
  listings.learnSeries(SERIES);
  listings.learnEvent({ event_ticker: 'E', series_ticker: 'S', markets }, reading);
  return listings;
}

describe('the mirrored catalogue of Kalshi', () => {
  it('leaves out a market with a field that is null, and keeps the others', () => {
    const listings = listingsOf([market('A', { price_ranges: [null] }), market('B')]);
    expect(listings.read('A')).toBeUndefined();
    expect(listings.leftOut()).toEqual([{ reason: 'its prices are not known', count: 1 }]);
    expect(listings.read('B')?.state.status).toBe('active');
  });

  it('loses nothing for fields that are null, bare numbers and titles of 300 characters, and counts what cannot be traded by its reason', () => {
    const long = 'x'.repeat(300);
    const markets = [
      market('LONG', {
        title: long,
        yes_sub_title: long,
        rules_primary: null,
        exchange_index: null,
        updated_time: null,
      }),
      market('BARE', { price_ranges: [{ start: 0, end: 1, step: 0.01 }], exchange_index: '2', volume_fp: 7 }),
      market('SCALAR', { market_type: null }),
      market('COMBO', { mve_collection_ticker: 'C' }),
      market('SHARD', { exchange_index: 'one' }),
      market('PRICES', { price_ranges: 'not a list' }),
      market('STATUS', { status: null }),
      market('TIME', { close_time: 'soon' }),
      { ...market('NONE'), ticker: null },
      null,
    ];
    const listings = listingsOf(markets);
    expect(Object.fromEntries(listings.leftOut().map(({ reason, count }) => [reason, count]))).toEqual({
      ...{ 'it has no yes and no': 1, 'it combines other markets': 1, 'its shard is not known': 1 },
      ...{ 'its prices are not known': 1, 'its status is not known': 2, 'a market has no ticker': 2 },
    });
    expect([...listings.markets()].map((kept) => JSON.parse(marketText(kept)))).toEqual(markets.slice(0, 8));
    expect(listings.read('LONG')?.market.listed.name).toBe(long);
    expect(listings.read('BARE')?.market.event.series.shard).toBe(2);
  });

  it('is read whole, 30,000 markets, over pages that fail, are throttled, are cut off or make no sense', async () => {
    const events = Array.from({ length: 1_500 }, (_, n) => ({
      ...{ event_ticker: `E${n}`, series_ticker: 'S' },
      markets: Array.from({ length: 20 }, (__, m) => ({ ...market(`E${n}-${m}`), event_ticker: `E${n}` })),
    }));
    const end = (status: number, text: string) => (response: ServerResponse) => {
      response.statusCode = status;
      response.end(text);
    };
    const senseless = ['{"events":[{"ev', '{"markets":1}', '{"events":null,"cursor":""}'];
    const troubles = [end(429, ''), end(503, '<html>'), ...senseless.map((text) => end(200, text))];
    const waiting = [...troubles, (response: ServerResponse) => void response.destroy(), ...troubles];
    const server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://stand.in');
      if (pathname === '/series') return void response.end(JSON.stringify({ series: [SERIES] }));
      const trouble = waiting.shift();
      if (trouble !== undefined) return trouble(response);
      const from = Number(searchParams.get('cursor') ?? 0);
      const cursor = from + 200 < events.length ? String(from + 200) : '';
      response.end(JSON.stringify({ events: events.slice(from, from + 200), cursor }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pace = { ...PACE, callsPerSecond: 1_000, attempts: 20, backoffMinMs: 1, backoffMaxMs: 5 };
    const calls = new UpstreamCalls(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, pace);
    const listings = new MirroredListings();
    const reader = new ListingsReader(calls, listings, pace, () => false);
    try {
      reader.start();
      await expect.poll(() => reader.isComplete, { timeout: 60_000 }).toBe(true);
      expect([listings.size, listings.leftOut(), reader.trouble, waiting.length]).toEqual([30_000, [], null, 0]);
    } finally {
      reader.stop();
      calls.close();
      server.close();
    }
  });

  it('is not complete while a list goes on behind the last page that is read', async () => {
    const server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://stand.in');
      const cursor = String(Number(searchParams.get('cursor') ?? 0) + 1);
      response.end(JSON.stringify(pathname === '/series' ? { series: [SERIES] } : { events: [], cursor }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pace = { ...PACE, callsPerSecond: 100_000 };
    const calls = new UpstreamCalls(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, pace);
    const reader = new ListingsReader(calls, new MirroredListings(), pace, () => false);
    try {
      reader.start();
      await expect.poll(() => reader.trouble).toBe('the list of events was not read to its end');
      expect(reader.isComplete).toBe(false);
    } finally {
      reader.stop();
      calls.close();
      server.close();
    }
  });

  it.each(['determined', 'disputed', 'amended', 'finalized'])(
    'has a market that is %s without a result closed',
    (status) => {
      expect(listingsOf([market('A', { status })]).read('A')?.state).toMatchObject({ status: 'closed', yesPays: null });
    },
  );

  it('forgets what ended long ago or is listed no more, unless it is needed', () => {
    const paid = { status: 'finalized', result: 'yes', settlement_ts: '2020-01-01T00:00:00Z' };
    const listings = listingsOf([market('OLD', paid), market('HELD', paid), market('GONE'), market('LISTED')]);
    listings.learnMarket(market('LISTED'), 2);
    listings.forget(2, (ticker) => ticker === 'HELD');
    expect([...listings.markets()].map(({ ticker }) => ticker)).toEqual(['HELD', 'LISTED']);
    expect(listings.event('E')?.markets.map(({ ticker }) => ticker)).toEqual(['HELD', 'LISTED']);
    listings.forget(3, () => false);
    expect([listings.size, listings.event('E')]).toEqual([0, undefined]);
  });
});
