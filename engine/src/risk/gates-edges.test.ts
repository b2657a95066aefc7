import { instantFromIso } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { quoteOf } from '../opportunity/quotes.fixture.ts';
import { planPlacement, smallestOrder } from '../order/plan.ts';
import { clipGate, lossAllowanceGate } from './clip.ts';
import { asks, type Changes, contextOf, NOW, settings, withMarket, withSecond } from './context.fixture.ts';
import { evaluateGates, warningsOf } from './gates.ts';

const endsAt = (iso: string) => withMarket({ endDate: instantFromIso(iso) });

describe('an order that nothing stands against', () => {
  it.each([false, true])('passes every gate, automatic %s', (automatic) => {
    expect(evaluateGates(contextOf({ automatic }))).toEqual([]);
  });

  it.each<{ edge: string; changes: Changes }>([
    { edge: 'profit exactly at the floor', changes: { profitFloorPct: percentFromNumber(5.263157) } },
    { edge: 'a price moved exactly as far as allowed', changes: { quotedPrice: setPriceFromNumber(1) } },
    { edge: 'no quote to compare with', changes: { quotedPrice: null } },
    {
      edge: 'prices at the ends of the band',
      changes: { settings: { ...settings, priceLow: priceFromNumber(0.45), priceHigh: priceFromNumber(0.5) } },
    },
    {
      edge: 'prices outside a band that is off',
      changes: { settings: { ...settings, validatePrices: false, priceHigh: priceFromNumber(0.2) } },
    },
    { edge: 'a book just old enough', changes: { quotes: withSecond({ bookAgeMs: 10_000 }) } },
    { edge: 'a polled book', changes: { quotes: withSecond({ feed: 'polled' }) } },
    { edge: 'an end as far away as a batch needs', changes: { quotes: endsAt('2026-06-01T12:02:00Z') } },
    {
      edge: 'a near end with timing off',
      changes: { quotes: endsAt('2026-06-01T12:00:01Z'), settings: { ...settings, validateTiming: false } },
    },
    {
      edge: 'a near end and a part that is bought already',
      changes: {
        quotes: endsAt('2026-06-01T12:00:01Z'),
        spentBefore: [{ leg: 1, tokenId: 'm1-yes', spent: usdFromNumber(4.5) }],
      },
    },
    { edge: 'just enough money', changes: { of: { balance: usdFromNumber(9.5) } } },
    { edge: 'just enough shares on offer', changes: { quotes: asks([[0.5, 10]]) } },
    {
      edge: 'limits just reached',
      changes: {
        of: {
          limits: {
            perOrder: usdFromNumber(5),
            perBatch: usdFromNumber(9.5),
            perDay: usdFromNumber(10),
            openExposure: usdFromNumber(10),
          },
          placedToday: usdFromNumber(0.5),
          openExposure: usdFromNumber(0.5),
        },
      },
    },
  ])('passes with $edge', ({ changes }) => {
    expect(evaluateGates(contextOf(changes))).toEqual([]);
  });
});

describe('a market that trades past its end date', () => {
  it.each([true, false])('is bought, and warned of, timing validation %s', (validateTiming) => {
    const context = contextOf({ quotes: withMarket({ endDate: NOW }), settings: { ...settings, validateTiming } });
    expect([false, true].map((automatic) => evaluateGates({ ...context, automatic }))).toEqual([[], []]);
    const message = 'leg 2: "Will m2 happen?" was to end at 2026-06-01T12:00:00.000Z and still trades';
    expect(warningsOf(context)).toEqual([{ gate: 'market-open', message, actual: null, required: null }]);
  });

  it('is not, where the venue takes no orders', () => {
    const quotes = withMarket({ endDate: NOW, acceptingOrders: false });
    expect(evaluateGates(contextOf({ quotes })).map(({ message }) => message)).toContain(
      'leg 2: "Will m2 happen?" takes no orders',
    );
  });
});

it.each([
  {
    prices: [0.02, 0.9],
    least: '100.00 shares, as fewer of leg 1 are worth less than MIN_ORDER_VALUE_USD',
    loss: '90.36',
  },
  { prices: [0.45, 0.5], least: '5.00 shares, the least by MIN_ORDER_SHARES', loss: '2.55' },
])('a clip that is refused as the smallest says what makes it no smaller: $least', ({ prices, least, loss }) => {
  const quotes = prices.map((price, place) => ({
    ...quoteOf(place + 1, [[price, 500]]),
    ...{ feed: 'live' as const, bookAgeMs: 400 },
  }));
  const { size } = smallestOrder(quotes, settings);
  const plan = planPlacement(quotes, size, setPriceFromNumber(1));
  const clipLimits = { clip: usdFromNumber(1), lossAllowance: usdFromNumber(1) };
  const context = { quotes, settings, plan, clipLimits };
  const dollars = usdToNumber(plan.totalReserve).toFixed(2);
  expect(clipGate(context)?.message).toBe(
    `even the smallest order takes more than CLIP_USD allows (up to $${dollars} for ${least}; CLIP_USD is $1.00: set it to $${dollars} or more in System Settings)`,
  );
  expect(lossAllowanceGate(context)?.message).toBe(
    `even the smallest order could lose more than LOSS_ALLOWANCE_USD allows if it fills in part (up to $${loss} for ${least}; LOSS_ALLOWANCE_USD is $1.00: set it to $${loss} or more in System Settings)`,
  );
});
