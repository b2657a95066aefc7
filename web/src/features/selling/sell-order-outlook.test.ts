import type { PlannedSale } from '@dutchbook/contract/selling.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { ApiError } from '../../calls/api-error.ts';
import { brokenSetsInWords, outlookOf, saleAsShown, saleInWords } from './sell-order-outlook.ts';

const price = priceFromNumber;
const planned = {
  order_id: 'own',
  sell_size: sharesFromNumber(12),
  sell_price: price(0.2),
  average_price: price(0.21),
  proceeds: usdFromNumber(2.52),
  fee: usdFromNumber(0.05),
  original_value: usdFromNumber(2.5),
  buy_fee: usdFromNumber(0.1),
} as PlannedSale;
const other = { ...planned, order_id: 'other', sell_price: price(0.01) };
const shown = { asked: {}, simulation: { orders: [other, planned], settling: [] } };
const outlook = outlookOf('own', {}, shown);

it('sells at the lowest price that is shown, so that nothing is sold below it', () => {
  expect(saleAsShown({}, outlook)).toEqual({ sell_price: price(0.2) });
  const sell_size = sharesFromNumber(5);
  expect(saleAsShown({ sell_size }, outlook)).toEqual({ sell_size, sell_price: price(0.2) });
});

it('sells at the price that was typed, whatever the bids are', () => {
  expect(saleAsShown({ sell_price: price(0.3) }, outlook)).toEqual({ sell_price: price(0.3) });
  expect(saleAsShown({ sell_price: price(0.3) }, { kind: 'failed' })).toEqual({ sell_price: price(0.3) });
});

it.each([
  ['has not come yet', undefined, /^Simulating/],
  ['was about another price', { ...shown, asked: { token: price(0.3) } }, /^Simulating/],
  ['failed', { asked: {}, error: new Error('lost') }, /^The simulation failed/],
  [
    'finds no bid for these shares',
    { asked: {}, simulation: { orders: [other], settling: [] } },
    /^None of these shares/,
  ],
  [
    'waits for them to be settled',
    { asked: {}, simulation: { orders: [], settling: [{ order_id: 'own', shares: sharesFromNumber(12) }] } },
    /still being settled/,
  ],
])('sells nothing without a price while the simulation %s, and says why', (_how, simulated, why) => {
  const unknown = outlookOf('own', {}, simulated);
  expect(saleAsShown({}, unknown)).toBeUndefined();
  expect(saleInWords({}, unknown)).toMatch(why);
  expect(saleInWords({ sell_price: price(0.3) }, unknown)).toBe(
    'Sells at 0.3000 or better. What finds no bid is kept.',
  );
});

it('tells figures only of the sale that they are of', () => {
  expect(saleInWords({}, outlook)).toBe(
    'The bids take 12.00 shares now, down to 0.2000 and 0.2100 on average: $2.52, less a fee of $0.05, $0.13 less than these shares cost with fees. None is sold for less.',
  );
  const part = saleInWords({ sell_size: sharesFromNumber(5) }, outlook);
  expect(part).toBe('Sells at 0.2000 or better, where the bids take 12.00 shares now. What finds no bid is kept.');
});

const tooOften = new ApiError({
  url: '/sell-all',
  status: 429,
  statusText: 'Too Many Requests',
  body: { detail: 'You have asked the venue too often. Try again in 7 s.' },
  retryAfter: '7',
});

it('goes on selling as shown where the server wants to be asked again later, and says that it waits', () => {
  const kept = outlookOf('own', {}, { ...shown, late: tooOften });
  expect(saleAsShown({}, kept)).toEqual({ sell_price: price(0.2) });
  expect(saleInWords({}, kept)).toMatch(
    /^The bids take 12\.00 shares now.* Try again in 7 s\. This then simulates again/,
  );
});

it('says for how long it waits where nothing was simulated before', () => {
  const nothing = outlookOf('own', {}, { asked: {}, error: tooOften });
  expect(saleAsShown({}, nothing)).toBeUndefined();
  expect(saleInWords({}, nothing)).toBe(
    'You have asked the venue too often. Try again in 7 s. This then simulates again by itself.',
  );
});

it.each([
  ['two positions', 2, /^This breaks whole sets: the other position stays held alone/],
  ['five positions', 5, /^This breaks whole sets: the other 4 positions stay held alone/],
])('warns that one order of whole sets of %s leaves the others alone', (_of, expected_orders, says) => {
  expect(brokenSetsInWords({ expected_orders, unhedged: null })).toMatch(says);
});

it('does not warn where the set has one position, or is held in part anyway', () => {
  expect(brokenSetsInWords({ expected_orders: 1, unhedged: null })).toBeUndefined();
  expect(brokenSetsInWords({ expected_orders: 3, unhedged: {} as never })).toBeUndefined();
});
