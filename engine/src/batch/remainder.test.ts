import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { PRICE_ONE, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import { valueOpportunity } from '../opportunity/value.ts';
import type { AttemptStatus } from '../order/life.ts';
import { fillOf } from '../sell/sale.fixture.ts';
import { planRemainder, type RemainderOrder, remainderGateInputs } from './remainder.ts';

const ONE = setPriceFromNumber(1);
const bestAsk = { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: USD_ZERO };

/** Ten shares wanted, `filled` of them bought at 0.40 without a fee; more are on offer at `ask`. */
function order(leg: number, filled: number, ask: number, status: AttemptStatus = 'canceled', sold = 0) {
  const quote = quoteOf(leg, [[ask, 50]], { rate: 0 });
  return {
    ...quote,
    quote,
    tokenId: `m${leg}-yes`,
    size: sharesFromNumber(10),
    attempts: [{ id: 'a', status, matchedSize: sharesFromNumber(filled) }],
    fills: filled > 0 ? [fillOf(filled, 0.4)] : [],
    sales: sold > 0 ? [fillOf(sold, 0.4)] : [],
  } satisfies RemainderOrder<typeof quote>;
}

const planOf = (...orders: ReturnType<typeof order>[]) => {
  const remainder = planRemainder(orders, ONE);
  if (remainder.kind !== 'plan') throw new Error(remainder.reason);
  return remainder;
};

describe('the remainder of a batch', () => {
  it('is what each position lacks, and earns what the sets make that it completes', () => {
    const { plan, quotes } = planOf(order(1, 10, 0.9), order(2, 4, 0.5));
    expect(quotes.map(({ leg }) => leg)).toEqual([2]);
    expect(plan.orders).toMatchObject([{ leg: 2, size: 6_000_000, cost: 3_000_000 }]);
    expect(plan).toMatchObject({
      size: 6_000_000,
      expectedProfit: 6_000_000 - 3_000_000 - 2_400_000,
      expectedProfitPct: 11_111_111,
      worstCaseLoss: 2_400_000,
      shortOf: [],
    });
  });

  it('is no more than its market takes orders for', () => {
    const { quote, ...short } = order(2, 3.5, 0.5);
    const market = marketOf('m2', { sizeStep: sharesFromNumber(1) });
    const { plan } = planOf(order(1, 10, 0.9), { ...short, quote: { ...quote, market } });
    expect(plan.orders).toMatchObject([{ leg: 2, size: 6_000_000 }]);
  });

  it('spends dollars at once, to the cent, where it is less than its market lets rest', () => {
    const { plan, completes } = planOf(order(1, 10, 0.9), order(2, 7, 0.48));
    expect(completes).toBe(true);
    expect(plan.orders).toMatchObject([{ size: 3_000_000, spends: 1_440_000, cost: 1_440_000, reserve: 1_440_000 }]);
    const rounded = planOf(order(1, 10, 0.9), {
      ...order(2, 7, 0.5),
      quote: quoteOf(
        2,
        [
          [0.475, 2],
          [0.48, 5],
        ],
        { rate: 0 },
      ),
    });
    expect(rounded.plan.orders).toMatchObject([{ size: 3_000_000, limitPrice: 480_000, spends: 1_430_000 }]);
    expect(rounded.plan.expectedProfit).toBe(3_000_000 - 1_430_000 - 1_200_000);
    expect(planOf(order(1, 10, 0.9), order(2, 5, 0.48)).plan.orders).toMatchObject([{ spends: null, cost: 2_400_000 }]);
  });

  it('does not pay where the sets it completes lose, although the whole batch would gain', () => {
    const { plan } = planOf(order(1, 10, 0.9), order(2, 4, 0.61));
    expect(plan.expectedProfit).toBe(6_000_000 - 3_660_000 - 2_400_000);
  });

  it('of a batch that bought nothing is the whole of it', () => {
    const { plan } = planOf(order(1, 0, 0.4, 'rejected'), order(2, 0, 0.5, 'rejected'));
    expect(plan).toMatchObject({ size: 10_000_000, expectedProfit: 1_000_000, worstCaseLoss: 5_000_000 });
  });

  it('says how much of it is not on offer', () => {
    const thin = order(2, 4, 0.5);
    const { plan } = planOf(order(1, 10, 0.9), { ...thin, quote: quoteOf(2, [[0.5, 5]], { rate: 0 }) });
    expect(plan.shortOf).toMatchObject([{ leg: 2, missing: 1_000_000 }]);
    expect(plan.expectedProfit).toBe(5_000_000 - 2_500_000 - 2_400_000);
  });

  it.each([
    { why: 'none is on offer', quote: quoteOf(2, [], { rate: 0 }) },
    { why: 'its market is not known', quote: quoteOf(2, [[0.5, 50]], { market: undefined }) },
  ])('has no order and no profit where $why', ({ quote }) => {
    const { plan } = planOf(order(1, 10, 0.9), { ...order(2, 4, 0.5), quote });
    expect(plan.orders).toEqual([]);
    expect(plan.shortOf).toMatchObject([{ leg: 2, missing: 6_000_000 }]);
    expect(plan).toMatchObject({ expectedProfit: -2_400_000, expectedProfitPct: null, worstCaseLoss: 2_400_000 });
  });

  it('takes in an order that was never attempted, and the smallest that the venue takes', () => {
    const { plan } = planOf({ ...order(1, 0, 0.4), attempts: [] }, order(2, 5, 0.5));
    expect(plan.orders.map(({ leg, size }) => [leg, size])).toEqual([
      [1, 10_000_000],
      [2, 5_000_000],
    ]);
  });

  it.each([
    { name: 'nothing is missing', orders: [order(1, 10, 0.9)], reason: 'Nothing is missing' },
    {
      name: 'an attempt may still fill',
      orders: [order(1, 10, 0.9), order(2, 4, 0.5, 'sent')],
      reason: 'Leg 2 (Yes, "Will m2 happen?"): an earlier order has not ended',
    },
    {
      name: 'shares were sold',
      orders: [order(1, 10, 0.9, 'canceled', 1), order(2, 4, 0.5)],
      reason: 'Leg 1 (Yes, "Will m1 happen?"): shares of it were sold',
    },
    {
      name: 'shares have left the account, which would leave what it buys without the rest of its sets',
      orders: [{ ...order(1, 10, 0.9), goneSize: sharesFromNumber(3) }, order(2, 4, 0.5)],
      reason: 'Leg 1 (Yes, "Will m1 happen?"): shares of it have left the account',
    },
    {
      name: 'a market has resolved, which may have paid what the sets promise',
      orders: [{ ...order(1, 10, 0.9), resolvedValue: PRICE_ONE }, order(2, 4, 0.01)],
      reason: 'Leg 1 (Yes, "Will m1 happen?"): its market has resolved',
    },
    {
      name: 'what is missing is less than its market is traded in',
      orders: [order(1, 10, 0.9), order(2, 9.998, 0.5)],
      reason:
        'Leg 2 (Yes, "Will m2 happen?"): 0.002 shares are missing, less than the 0.01 that its market is traded in',
    },
  ])('is not planned while $name', ({ orders, reason }) => {
    expect(planRemainder(orders, ONE)).toEqual({ kind: 'refused', reason });
  });

  it('is judged by the gates on its own profit against the retry threshold', () => {
    const { quotes, ...remainder } = planOf(order(1, 10, 0.9), order(2, 4, 0.5));
    const value = valueOpportunity(quotes, ONE, bestAsk);
    expect(remainderGateInputs(value, remainder, fractionFromNumber(0.005))).toMatchObject({
      value: { profitPct: 11_111_111 },
      profitFloorPct: 500_000,
    });
  });

  it('is judged as it is valued where it has no profit of its own or no value', () => {
    const { quotes, ...remainder } = planOf(order(1, 10, 0.9), { ...order(2, 4, 0.5), quote: quoteOf(2, []) });
    const unpriced = valueOpportunity(quotes, ONE, bestAsk);
    const valued = valueOpportunity([order(2, 4, 0.5).quote], ONE, bestAsk);
    expect(remainderGateInputs(unpriced, remainder, fractionFromNumber(0)).value).toEqual(unpriced);
    expect(remainderGateInputs(valued, remainder, fractionFromNumber(0)).value).toEqual(valued);
    const offered = planOf(order(1, 10, 0.9), order(2, 4, 0.5));
    expect(remainderGateInputs(unpriced, offered, fractionFromNumber(0)).value).toEqual(unpriced);
  });
});
