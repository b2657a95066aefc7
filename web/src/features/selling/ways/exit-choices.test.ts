import { priceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import type { SaleFigures } from '../sale-figures.ts';
import { outcomeOf, outcomeOfOrder } from '../sale-loss.ts';
import {
  ALL_SOLD,
  chooseForAll,
  convertedOrders,
  exitRefusal,
  exitWords,
  isChosenForAll,
  readyExit,
  saleOfChosen,
  sellsAll,
  wayOf,
} from './exit-choices.ts';

const order = (order_id: string, converts = 10) => ({
  order_id,
  cash_now: { shares: sharesFromNumber(converts), usd: usdFromNumber(converts / 2) },
});
const ORDERS = [order('a'), order('b'), order('c', 0)];

const sale = (order_id: string, size: number, proceeds: number, cost: number) => ({
  ...{ order_id, leg: 1, market_id: 'm', market_name: 'Will it rain?', token_id: order_id, outcome: 'Yes' },
  ...{ sell_size: sharesFromNumber(size), sell_price: priceFromNumber(0.4), average_price: priceFromNumber(0.4) },
  ...{
    proceeds: usdFromNumber(proceeds),
    fee: usdFromNumber(0.1),
    original_value: usdFromNumber(cost - 0.05),
    buy_fee: usdFromNumber(0.05),
  },
});

const SIMULATION = {
  orders: [sale('a', 10, 4, 5), sale('b', 10, 6, 3)],
  settling: [{ order_id: 'b', shares: SHARES_ZERO }],
  warnings: ['wide'],
  errors: [],
  total_orders: 2,
  estimated_proceeds: usdFromNumber(10),
} as unknown as SaleFigures;

const chosen = (way: 'sell' | 'cash_now' | 'hold', orderId: string, choices = ALL_SOLD) => ({
  ...choices,
  byOrder: { ...choices.byOrder, [orderId]: way },
});

it('sells the whole batch until something else is chosen', () => {
  expect(sellsAll(ALL_SOLD)).toBe(true);
  expect(wayOf(ALL_SOLD, 'unheard of')).toBe('sell');
  expect(sellsAll(chosen('hold', 'a'))).toBe(false);
  expect(sellsAll(chosen('sell', 'a'))).toBe(true);
});

it('converts for the whole batch what can be converted, and holds the rest, also what is not free yet', () => {
  const choices = chooseForAll('cash_now', ORDERS);
  expect(['a', 'b', 'c', 'settling'].map((id) => wayOf(choices, id))).toEqual(['cash_now', 'cash_now', 'hold', 'hold']);
  expect(convertedOrders(choices, ORDERS)).toEqual(['a', 'b']);
  expect(isChosenForAll('cash_now', choices, ORDERS)).toBe(true);
  expect(isChosenForAll('cash_now', chosen('sell', 'c', choices), ORDERS)).toBe(false);
  expect(sellsAll(chooseForAll('sell', ORDERS))).toBe(true);
});

it('adds up only what is sold', () => {
  expect(saleOfChosen(SIMULATION, ALL_SOLD)).toBe(SIMULATION);
  const some = saleOfChosen(SIMULATION, chosen('hold', 'b'));
  expect(some).toMatchObject({
    total_orders: 1,
    estimated_proceeds: usdFromNumber(4),
    estimated_fees: usdFromNumber(0.1),
    estimated_profit: usdFromNumber(-1.1),
    estimated_profit_percentage: -22_000_000,
    average_original_price: priceFromNumber(0.495),
    average_sell_price: priceFromNumber(0.4),
    settling: [],
    warnings: ['wide'],
  });
  const [alone] = SIMULATION.orders;
  if (alone === undefined) throw new Error('a sale was planned');
  expect(outcomeOfOrder(alone, undefined), 'one order sold alone loses the same').toEqual(outcomeOf(some));
  const none = saleOfChosen(SIMULATION, chooseForAll('hold', ORDERS));
  expect(none).toMatchObject({ total_orders: 0, estimated_profit: USD_ZERO, average_sell_price: 0, warnings: [] });
});

const shown = { asked: {}, simulation: { ...SIMULATION, simulation: true as const, batch_id: 'x' } };
const plan = (steps: number, ...errors: string[]) => ({
  asked: undefined,
  simulation: { steps: Array.from({ length: steps }), errors },
});

it.each([
  { name: 'a whole sale', choices: ALL_SOLD, soldOrders: 2, said: undefined },
  { name: 'nothing but holding', choices: chooseForAll('hold', ORDERS), soldOrders: 0, said: /all is held\.$/ },
  { name: 'both ways', choices: chosen('cash_now', 'a'), orderIds: ['a'], conversionPlan: plan(1), said: undefined },
  {
    name: 'a plan with errors',
    choices: chosen('cash_now', 'a'),
    orderIds: ['a'],
    conversionPlan: plan(0, 'No set.'),
    said: /while there are errors/,
  },
  {
    name: 'cash while disarmed',
    choices: chosen('cash_now', 'a'),
    orderIds: ['a'],
    conversionPlan: plan(1),
    isDisarmed: true,
    said: /disarmed/,
  },
  { name: 'a sale while disarmed', choices: chosen('hold', 'a'), isDisarmed: true, said: undefined },
  {
    name: 'a plan that is not known',
    choices: chosen('cash_now', 'a'),
    soldOrders: 0,
    orderIds: ['a'],
    said: /^Working out/,
  },
])(
  'says what stands in the way of $name',
  ({ choices, soldOrders = 1, orderIds = [], conversionPlan, isDisarmed, said }) => {
    const refusal = exitRefusal({
      choices,
      typed: {},
      shown,
      soldOrders,
      converted: { orderIds, plan: conversionPlan },
      isDisarmed: isDisarmed ?? false,
    });
    if (said === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(said);
  },
);

it('asks of sales that they are simulated only where something is sold', () => {
  const converted = { orderIds: ['a'], plan: plan(1) };
  const without = { choices: chosen('cash_now', 'a'), typed: {}, shown: undefined, converted, isDisarmed: false };
  expect(exitRefusal({ ...without, soldOrders: 0 })).toBeUndefined();
  expect(exitRefusal({ ...without, soldOrders: 1 })).toMatch(/^Simulating/);
});

it('names what the button does, and carries out the chosen orders alone', () => {
  expect(exitWords(2, 0).execute).toBe('Execute Sell Orders');
  expect(exitWords(1, 1).execute).toBe('Execute Sell Orders and Cash Now');
  expect(exitWords(0, 2).execute).toBe('Cash Now');
  const ready = readyExit(shown, chosen('cash_now', 'a'), ['a']);
  expect(ready.simulation.orders.map(({ order_id }) => order_id)).toEqual(['b']);
  expect(ready).toMatchObject({ sellsAll: false, convertedIds: ['a'] });
});
