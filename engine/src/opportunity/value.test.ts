import { percentFromNumber, percentToNumber } from '@dutchbook/units/percent.ts';
import { type Price, priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyQuotes, marketOf, quoteOf } from './quotes.fixture.ts';
import {
  isTriggered,
  netProfitPct,
  type PositionQuote,
  type PricingSettings,
  resolvedValueOf,
  risingEdge,
  valueOpportunity,
} from './value.ts';

const ONE = setPriceFromNumber(1);
const cumulative: PricingSettings = {
  useOrderBookPrices: true,
  useCumulativePricing: true,
  cumulativeThreshold: usdFromNumber(10),
};
const bestAsk: PricingSettings = { ...cumulative, useCumulativePricing: false };
const midpoint: PricingSettings = { ...bestAsk, useOrderBookPrices: false };

const pricesOf = (quotes: PositionQuote[], settings: PricingSettings) => {
  const value = valueOpportunity(quotes, ONE, settings);
  return value.kind === 'valued' ? value.positions.map(({ price }) => price / 1e6) : value.reason;
};

it('knows of no result while what an outcome pays may still be changed', () => {
  const [yes, no] = marketOf('m1').outcomes;
  const outcomes = [yes, no].flatMap((each) => (each === undefined ? [] : [{ ...each, resolvedValue: ONE }]));
  const market = marketOf('m1', { closed: true, outcomes });
  expect(resolvedValueOf({ market, outcome: 'Yes' })).toBe(ONE);
  expect(resolvedValueOf({ market: { ...market, isProvisional: true }, outcome: 'Yes' })).toBeNull();
});

describe('the price of a position', () => {
  const quote = quoteOf(1, [
    [0.4, 10],
    [0.41, 10],
    [0.5, 100],
  ]);
  const traded = { midpoint: priceFromNumber(0.38), lastTrade: priceFromNumber(0.3) };

  it.each([
    { name: 'the best ask', settings: bestAsk, quotes: [quote], prices: [0.4] },
    { name: 'the ask where ten dollars are reached', settings: cumulative, quotes: [quote], prices: [0.5] },
    { name: 'the midpoint', settings: midpoint, quotes: [{ ...quote, ...traded }], prices: [0.38] },
    { name: 'the last trade', settings: midpoint, quotes: [{ ...quote, ...traded, midpoint: null }], prices: [0.3] },
    {
      name: 'the midpoint even where there is no book',
      settings: midpoint,
      quotes: [{ ...quote, ...traded, book: undefined }],
      prices: [0.38],
    },
    {
      name: 'the best ask when cumulative pricing is off, whatever the threshold',
      settings: { ...bestAsk, cumulativeThreshold: usdFromNumber(1e6) },
      quotes: [quote],
      prices: [0.4],
    },
  ])('is $name', ({ settings, quotes, prices }) => {
    expect(pricesOf(quotes, settings)).toEqual(prices);
  });

  const name = 'Leg 3 (Yes, "Will m3 happen?")';
  const good = quoteOf(1, [[0.4, 1000]]);
  const bad = quoteOf(3, [[0.4, 10]]);
  it.each([
    {
      settings: cumulative,
      quote: bad,
      reason: `${name}: not enough depth, $4.00 on offer of the $10.00 that pricing looks at`,
    },
    { settings: bestAsk, quote: quoteOf(3, []), reason: `${name}: no shares are on offer` },
    { settings: bestAsk, quote: { ...bad, book: undefined }, reason: `${name}: there is no order book` },
    { settings: cumulative, quote: { ...bad, book: undefined }, reason: `${name}: there is no order book` },
    { settings: midpoint, quote: bad, reason: `${name}: there is neither a midpoint nor a last trade` },
    {
      settings: bestAsk,
      quote: { ...bad, market: marketOf('m3', { closed: true }) },
      reason: `${name}: the market is closed`,
    },
    {
      settings: bestAsk,
      quote: {
        ...bad,
        market: marketOf('m3', {
          closed: true,
          outcomes: [{ outcome: 'Yes', tokenId: 'm3-yes', resolvedValue: priceFromNumber(0.5) }],
        }),
      },
      reason: `${name}: the market has resolved, a share pays $0.5000`,
    },
    {
      settings: bestAsk,
      quote: { ...bad, market: marketOf('m3', { feeSchedule: null }) },
      reason: `${name}: the venue does not say what fee it takes`,
    },
    {
      settings: bestAsk,
      quote: { ...bad, market: undefined },
      reason: 'Leg 3 (Yes, market m3): the venue does not know this market',
    },
    {
      settings: bestAsk,
      quote: { ...bad, outcome: 'Maybe', tokenId: null },
      reason: 'Leg 3 (Maybe, "Will m3 happen?"): no such outcome, only "Yes" and "No"',
    },
    { settings: bestAsk, quote: { ...bad, tokenId: null }, reason: `${name}: its token is not known` },
  ])('is missing: $reason', ({ settings, quote, reason }) => {
    const first = settings.useOrderBookPrices ? good : { ...good, midpoint: priceFromNumber(0.4) };
    expect(valueOpportunity([first, quote], ONE, settings)).toEqual({ kind: 'unpriced', reason });
  });

  it('is missing when there are no positions', () => {
    const reason = 'A set without a price has no profit';
    expect(valueOpportunity([], ONE, bestAsk)).toEqual({ kind: 'unpriced', reason });
  });
});

describe('the profit of a set', () => {
  it('counts fees on both sides of the fraction', () => {
    const value = valueOpportunity([quoteOf(1, [[0.45, 100]]), quoteOf(2, [[0.5, 100]], { rate: 0.05 })], ONE, bestAsk);
    expect(value).toEqual({
      kind: 'valued',
      currentPrice: 950_000,
      feesPerSet: 9_900 + 12_500,
      profitPct: Math.floor(((1_000_000 - 972_400) / 972_400) * 1e8),
      positions: [
        { leg: 1, price: 450_000, fee: 9_900 },
        { leg: 2, price: 500_000, fee: 12_500 },
      ],
    });
  });

  it('is none where the fees eat the edge', () => {
    const value = valueOpportunity([quoteOf(1, [[0.49, 100]]), quoteOf(2, [[0.5, 100]])], ONE, bestAsk);
    expect(value.kind === 'valued' && percentToNumber(value.profitPct)).toBeLessThan(0);
  });

  it('is measured against a target above one dollar too', () => {
    const quotes = [1, 2, 3].map((leg) => quoteOf(leg, [[0.6, 100]], { rate: 0 }));
    const value = valueOpportunity(quotes, setPriceFromNumber(2), bestAsk);
    expect(value.kind === 'valued' && percentToNumber(value.profitPct)).toBe(11.111111);
  });

  it('equals exact rationals, fees rounded up and profit rounded down', () => {
    const target = fc.integer({ min: 1, max: 3_000_000 }).map((micro) => micro as Price);
    fc.assert(
      fc.property(anyQuotes, target, (quotes, targetPrice) => {
        const value = valueOpportunity(quotes, targetPrice, bestAsk);
        const prices = quotes.map(({ book }) => BigInt(book?.asks[0]?.price ?? 0));
        const fees = quotes.map(({ market }, index) => {
          const price = prices[index] ?? 0n;
          const exact = BigInt(market?.feeSchedule?.rate ?? 0) * price * (1_000_000n - price);
          return ((exact + 10n ** 13n - 1n) / 10n ** 13n) * 10n;
        });
        const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
        const cost = total(prices) + total(fees);
        const scaled = (BigInt(targetPrice) - cost) * 100_000_000n;
        const profitPct = scaled >= 0n ? scaled / cost : -((-scaled + cost - 1n) / cost);
        expect(value).toMatchObject({
          kind: 'valued',
          currentPrice: Number(total(prices)),
          feesPerSet: Number(total(fees)),
          profitPct: Number(profitPct),
        });
      }),
    );
  });

  it('is a million times the cost at most, and exact below that', () => {
    const profitTimes = (target: number, cost: number) =>
      netProfitPct(setPriceFromNumber(target), usdFromNumber(cost)) / 100e6;
    expect(profitTimes(1, 0.000001)).toBe(999_999);
    expect(profitTimes(5, 0.000001)).toBe(1_000_000);
    expect(profitTimes(5, 0.000004)).toBe(1_000_000);
    expect(profitTimes(1, 0.000004)).toBe(249_999);
  });

  it('is never better at the price that depth demands than at the best ask', () => {
    fc.assert(
      fc.property(anyQuotes, fc.integer({ min: 1, max: 20 }), (quotes, dollars) => {
        const settings = { ...cumulative, cumulativeThreshold: usdFromNumber(dollars) };
        const deep = valueOpportunity(quotes, ONE, settings);
        const best = valueOpportunity(quotes, ONE, bestAsk);
        if (deep.kind === 'unpriced' || best.kind === 'unpriced') expect(deep.kind).toBe('unpriced');
        else expect(deep.profitPct).toBeLessThanOrEqual(best.profitPct);
      }),
    );
  });
});

describe('a set on two markets with fees of their own', () => {
  // Under eight dollars are on offer up to 0.42, so that ten are reached at 0.45; of the other ten at once, at 0.5.
  const rain = quoteOf(
    1,
    [
      [0.4, 5],
      [0.42, 14.28],
      [0.45, 100],
    ],
    { rate: 0.05, midpoint: priceFromNumber(0.395), lastTrade: priceFromNumber(0.1) },
  );
  const snow = quoteOf(2, [[0.5, 20]], { rate: 0.02, midpoint: null, lastTrade: priceFromNumber(0.48) });

  // Fees are rate x p x (1 - p), each up to five decimals; profit is (1 - cost) / cost, down to six.
  it.each([
    { book: false, cumulative: false, prices: [0.395, 0.48], fees: [0.01195, 0.005], profitPct: 12.113907 },
    { book: false, cumulative: true, prices: [0.395, 0.48], fees: [0.01195, 0.005], profitPct: 12.113907 },
    { book: true, cumulative: false, prices: [0.4, 0.5], fees: [0.012, 0.005], profitPct: 9.051254 },
    { book: true, cumulative: true, prices: [0.45, 0.5], fees: [0.01238, 0.005], profitPct: 3.371994 },
  ])('order books $book, cumulative $cumulative: $prices', ({ book, cumulative: deep, prices, fees, profitPct }) => {
    const settings = { ...cumulative, useOrderBookPrices: book, useCumulativePricing: deep };
    const micro = (amount: number) => Math.round(amount * 1e6);
    const sum = (amounts: number[]) => amounts.map(micro).reduce((total, amount) => total + amount, 0);
    expect(valueOpportunity([rain, snow], ONE, settings)).toEqual({
      kind: 'valued',
      currentPrice: sum(prices),
      feesPerSet: sum(fees),
      profitPct: micro(profitPct),
      positions: prices.map((price, index) => ({ leg: index + 1, price: micro(price), fee: micro(fees[index] ?? 0) })),
    });
  });
});

describe('the trigger', () => {
  const threshold = percentFromNumber(0.8);

  it.each([
    { active: true, profit: 0.8, triggered: true },
    { active: true, profit: 0.799999, triggered: false },
    { active: true, profit: null, triggered: false },
    { active: false, profit: 5, triggered: false },
  ])('active $active at $profit %: $triggered', ({ active, profit, triggered }) => {
    const profitPct = profit === null ? null : percentFromNumber(profit);
    expect(isTriggered(active, profitPct, threshold)).toBe(triggered);
  });

  it('needs a profit that is known, also where a loss would do', () => {
    expect(isTriggered(true, null, percentFromNumber(0))).toBe(false);
    expect(isTriggered(true, null, percentFromNumber(-5))).toBe(false);
  });

  it('acts when it comes on and not while it stays on', () => {
    const edges = [false, true, true, false, true].map((after, index, all) =>
      risingEdge(all[index - 1] ?? false, after),
    );
    expect(edges).toEqual([false, true, false, false, true]);
  });
});
