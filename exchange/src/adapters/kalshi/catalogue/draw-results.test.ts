import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { TestVenue } from '../venue.fixture.ts';
import { drawResults } from './draw-results.ts';

it('of an event one member comes true, of a menu at most one, and of a ladder no step without those before it', () => {
  const { venue } = new TestVenue();
  for (const event of venue.events)
    for (let seed = 0; seed < 10; seed += 1) {
      const results = drawResults(event, seed);
      expect(drawResults(event, seed)).toEqual(results);
      const winners = results.filter(Boolean).length;
      if (event.kind === 'tiles' || event.kind === 'sides') expect(winners).toBe(1);
      if (event.kind === 'menu') expect(winners).toBeLessThanOrEqual(1);
      if (event.kind === 'ladder') expect(results.lastIndexOf(true)).toBe(winners - 1);
    }
});

it('an event that has ended by the clock is determined, and then pays what is held of it in whole cents', () => {
  const test = new TestVenue();
  const { venue } = test;
  const event = venue.events.find(({ series }) => series.ticker === 'KXGUST5M');
  if (event === undefined) throw new Error('there are events of five minutes');
  const size = 10_000_000;
  for (const market of event.markets) {
    test.quote(market.ticker, [{ side: 'ask', price: 400_000 as never, size: size as never }]);
    test.place('direct', { market, side: 'bid', price: 400_000 as never, count: size as never });
  }
  const statuses = () => event.markets.map((market) => venue.states.of(market).status);
  const { clock } = venue.engine;
  clock.advance(event.closesAt - clock.now() + 1_000);
  expect(new Set(statuses())).toEqual(new Set(['closed']));
  clock.advance(10_000);
  expect(new Set(statuses())).toEqual(new Set(['determined']));
  expect(venue.lifecycle.settlements).toEqual([]);
  clock.advance(30_000);
  expect(new Set(statuses())).toEqual(new Set(['finalized']));
  const own = venue.lifecycle.settlements.filter(({ pocket }) => pocket.startsWith('direct'));
  expect(own.map(({ revenue }) => revenue).toSorted()).toEqual([0, 0, (size / 1_000_000) * PRICE_ONE]);
});

it('short events go on being listed with each quarter of an hour, quoted and taking orders, and none twice', () => {
  const test = new TestVenue();
  const { venue } = test;
  const { clock } = venue.engine;
  const open = () =>
    venue.events
      .filter(({ series, closesAt }) => series.ticker === 'KXGUST5M' && closesAt > clock.now())
      .map(({ ticker }) => ticker);
  const first = open();
  const moments: number[] = [];
  venue.onListed = (now) => moments.push(now);
  clock.advance(3 * 3_600_000);
  expect(open().length).toBeGreaterThan(0);
  expect(open().filter((ticker) => first.includes(ticker))).toEqual([]);
  const tickers = venue.events.map(({ ticker }) => ticker);
  expect(new Set(tickers).size).toBe(tickers.length);
  expect(moments.length).toBeGreaterThan(0);
  const market = venue.allMarkets().find(({ event }) => event.ticker === open()[0]);
  if (market === undefined) throw new Error('what is open has markets');
  expect(venue.matched(market).book.levels('ask').length).toBeGreaterThan(0);
  const order = test.place('direct', { market, side: 'bid', price: 10_000 as never, count: 1_000_000 as never });
  expect(venue.orders.byId(order.id)?.status).toBe('resting');
});
