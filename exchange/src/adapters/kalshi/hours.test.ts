import { instantFromIso } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { isOpenAt } from './hours.ts';
import { wireStatus } from './market-shape.ts';
import { TestVenue } from './venue.fixture.ts';

it.each([
  ['2026-12-03T07:59:59Z', true],
  ['2026-12-03T08:00:00Z', false],
  ['2026-12-03T09:59:59Z', false],
  ['2026-12-03T10:00:00Z', true],
  // By the clocks of summer an hour earlier.
  ['2026-07-02T06:59:59Z', true],
  ['2026-07-02T07:00:00Z', false],
  ['2026-07-02T09:00:00Z', true],
  ['2026-12-04T08:30:00Z', true],
  ['2026-12-04T04:59:59Z', true],
])('at %s the venue is open: %s', (at, isOpen) => {
  expect(isOpenAt(instantFromIso(at))).toBe(isOpen);
});

it('takes no order in the weekly pause while it keeps its hours, says so of every shard, and cancels what rests', () => {
  const test = new TestVenue({ atMs: Date.UTC(2026, 11, 3, 8, 30) });
  const [market] = test.markets;
  if (market === undefined) throw new Error('no market is listed');
  test.quote(market.ticker, []);
  const place = () =>
    test.place('direct', { market, side: 'bid', price: priceFromText('0.01'), count: sharesFromText('5') });
  const resting = place();
  test.venue.keepsHours = true;
  expect(place).toThrow('exchange_is_paused');
  expect(wireStatus(test.venue)).toMatchObject({
    exchange_active: true,
    trading_active: false,
    exchange_index_statuses: [0, 1, 2, 3].map((exchange_index) => ({ exchange_index, trading_active: false })),
  });
  test.cancel(resting);
  expect(resting.status).toBe('canceled');
  test.venue.keepsHours = false;
  expect(place().status).toBe('resting');
});
