import { priceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { bestWay, bestWords, choiceOf } from './best-way.ts';
import { ALL_SOLD, isChosenForAll } from './exit-choices.ts';

const route = (net: number, least = 0) => ({
  ...{ steps: [], net_usd: usdFromNumber(net) },
  ...{ held_least_usd: usdFromNumber(least), held_most_usd: usdFromNumber(least) },
});
const routes = (sell: number, cashNow: number, hold: number) => ({
  routes: { sell: route(sell), cash_now: route(cashNow), hold: route(0, hold) },
});

const bought = (sold = SHARES_ZERO) => ({
  ...{ sold_size: sold, filled_size: sharesFromNumber(50) },
  ...{ average_price: priceFromNumber(0.48), fee: usdFromNumber(0.2) },
});
/** Two legs of 50 shares that cost $48.40 and pay $50.00. */
const SETS = {
  whole: undefined,
  converts: false,
  saleBrings: usdFromNumber(39.32),
  batch: { actual_profit_usd: usdFromNumber(1.6), unhedged: null },
  orders: [bought(), bought()],
};

it.each([
  ['sell', routes(10, 9, 8), true],
  ['cash_now', routes(8, 10, 10), true],
  ['hold', routes(8, 10, 9), false],
  ['hold', routes(8, 9, 10), true],
  ['sell', routes(10, 10, 9), true],
  [undefined, routes(0, 0, 0), false],
] as const)('names %s of what each way brings at least', (way, whole, converts) => {
  expect(bestWay({ ...SETS, orders: [], whole, converts })?.way).toBe(way);
});

it('holds whole sets that pay more than the bids, where the venue converts nothing', () => {
  const best = bestWay(SETS);
  if (best === undefined) throw new Error('both ways are known');
  expect(best).toEqual({
    way: 'hold',
    totals: { sell: usdFromNumber(39.32), cash_now: undefined, hold: usdFromNumber(50) },
  });
  expect(bestWords(best)).toBe('Sure to pay $10.68 more than Sell brings.');
  expect(isChosenForAll('hold', choiceOf(best, []), [])).toBe(true);
});

it('holds whole sets of which the venue does not know that they belong together', () => {
  const best = bestWay({ ...SETS, whole: routes(39.32, 0, 0) });
  expect(best).toMatchObject({ way: 'hold', totals: { hold: usdFromNumber(50) } });
});

it('sells them where the bids bring more', () => {
  const best = bestWay({ ...SETS, saleBrings: usdFromNumber(50.5) });
  if (best === undefined) throw new Error('both ways are known');
  expect(bestWords(best)).toBe('Brings $0.50 more than holding is sure to pay.');
  expect(choiceOf(best, [])).toBe(ALL_SOLD);
});

it.each([
  ['of which a leg is missing', { batch: { ...SETS.batch, unhedged: {} as never } }],
  ['of which a part was sold', { orders: [bought(), bought(sharesFromNumber(1))] }],
  ['of which the profit is not known', { batch: { ...SETS.batch, actual_profit_usd: null } }],
  ['of which the orders are not known', { orders: [] }],
  ['of which the sale is not known', { saleBrings: undefined }],
])('compares nothing %s, and sells', (_, unknown) => {
  expect(bestWay({ ...SETS, ...unknown })).toBeUndefined();
  expect(choiceOf(undefined, [])).toBe(ALL_SOLD);
});
