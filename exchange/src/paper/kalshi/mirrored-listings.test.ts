import { describe, expect, it } from 'vitest';
import { MirroredListings } from './mirrored-listings.ts';

const RANGES = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];

function market(ticker: string, change: object = {}) {
  return {
    ...{ ticker, event_ticker: 'E', market_type: 'binary', status: 'active', price_ranges: RANGES, result: '' },
    close_time: '2030-01-01T00:00:00Z',
    ...change,
  };
}

function listingsOf(markets: object[], reading = 1): MirroredListings {
  const listings = new MirroredListings();
  listings.learnSeries({ ticker: 'S', title: 'S', fee_type: 'quadratic', fee_multiplier: 1 });
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
