import { priceFromNumber, setPriceFromNumber, tickFromText } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares, sharesFromNumber, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeWithin, totalSize, walkBook } from '../book/walk.ts';
import { anyQuotes, bookOf, marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import { defaultOrderSize, planPlacement } from './plan.ts';

const ONE = setPriceFromNumber(1);
const asksOf = ({ book }: PositionQuote) => book?.asks ?? [];
const minimums = { minOrderValue: usdFromNumber(2), minOrderShares: sharesFromNumber(5) };

describe('the default size', () => {
  it.each([
    { why: 'the minimum number of shares', quotes: [quoteOf(1, [[0.5, 100]])], size: 5 },
    {
      why: 'the minimum value of the cheapest position',
      quotes: [quoteOf(1, [[0.5, 99]]), quoteOf(2, [[0.3, 99]])],
      size: 7,
    },
    {
      why: 'the minimum of a market',
      quotes: [quoteOf(1, [[0.5, 99]], { market: marketOf('m1', { minOrderSize: sharesFromText('12.5') }) })],
      size: 13,
    },
    {
      why: 'the value at the worse level too',
      quotes: [
        quoteOf(1, [
          [0.1, 10],
          [0.2, 99],
        ]),
      ],
      size: 15,
    },
    { why: 'the value, the last ask taken to go on', quotes: [quoteOf(1, [[0.1, 8]])], size: 20 },
    { why: 'nothing of a position without asks', quotes: [quoteOf(1, []), quoteOf(2, [[0.1, 99]])], size: 20 },
    { why: 'nothing of a position without a book', quotes: [quoteOf(1, [], { book: undefined })], size: 5 },
    {
      why: 'the value in a market that is not known',
      quotes: [quoteOf(1, [[0.1, 99]], { market: undefined })],
      size: 20,
    },
    { why: 'nothing of asks that cost nothing', quotes: [quoteOf(1, [[0, 50]])], size: 5 },
  ])('satisfies $why', ({ quotes, size }) => {
    expect(defaultOrderSize(quotes, minimums)).toBe(sharesFromNumber(size));
  });

  it('is the first whole number of shares that a slow search finds good for every position', () => {
    fc.assert(
      fc.property(anyQuotes, fc.integer({ min: 1, max: 15 }), (quotes, dollars) => {
        const minOrderValue = usdFromNumber(dollars);
        const isWorth = (quote: PositionQuote, size: Shares) => {
          const exact = asksOf(quote).reduce(
            ({ left, worth }, { price, size: offered }) => {
              const taken = Math.min(left, offered);
              return { left: left - taken, worth: worth + BigInt(taken) * BigInt(price) };
            },
            { left: size as number, worth: 0n },
          );
          return exact.worth >= BigInt(minOrderValue) * 1_000_000n;
        };
        const deepest = quotes.every((quote) => isWorth(quote, totalSize(asksOf(quote))));
        fc.pre(deepest);
        let size = 5 * ONE_SHARE;
        while (!quotes.every((quote) => isWorth(quote, size as Shares))) size += ONE_SHARE;
        expect(defaultOrderSize(quotes, { ...minimums, minOrderValue })).toBe(size);
      }),
    );
  });
});

describe('a plan', () => {
  const quotes = [
    quoteOf(1, [
      [0.4, 10],
      [0.42, 30],
    ]),
    quoteOf(2, [[0.5, 25]]),
  ];

  it('buys the same number of shares of every position, each at the worst level it needs', () => {
    expect(planPlacement(quotes, sharesFromNumber(20), ONE)).toEqual({
      size: 20_000_000,
      orders: [
        {
          leg: 1,
          marketId: 'm1',
          marketName: 'Will m1 happen?',
          outcome: 'Yes',
          tokenId: 'm1-yes',
          side: 'buy',
          size: 20_000_000,
          limitPrice: 420_000,
          averagePrice: 410_000,
          cost: 8_200_000,
          fee: 96_000 + 97_440,
          spends: null,
          reserve: 8_400_000 + 194_880,
        },
        {
          leg: 2,
          marketId: 'm2',
          marketName: 'Will m2 happen?',
          outcome: 'Yes',
          tokenId: 'm2-yes',
          side: 'buy',
          size: 20_000_000,
          limitPrice: 500_000,
          averagePrice: 500_000,
          cost: 10_000_000,
          fee: 200_000,
          spends: null,
          reserve: 10_200_000,
        },
      ],
      totalCost: 18_200_000,
      totalFees: 393_440,
      totalReserve: 18_794_880,
      expectedProfit: 1_406_560,
      expectedProfitPct: 7_564_818,
      worstCaseLoss: 10_200_000,
      shortOf: [],
    });
  });

  it('says what a position is short of, and promises profit for whole sets only', () => {
    const plan = planPlacement(quotes, sharesFromNumber(36), ONE);
    expect(plan.shortOf).toEqual([
      { leg: 2, marketId: 'm2', marketName: 'Will m2 happen?', outcome: 'Yes', missing: 11_000_000 },
    ]);
    expect(plan.orders.map(({ size }) => size)).toEqual([36_000_000, 25_000_000]);
    expect(plan.expectedProfit).toBe(25_000_000 - plan.totalCost - plan.totalFees);
  });

  it.each([
    { why: 'no book', quote: quoteOf(3, [], { book: undefined }) },
    { why: 'an empty book', quote: quoteOf(3, []) },
    { why: 'an unknown market', quote: quoteOf(3, [[0.1, 99]], { market: undefined }) },
    { why: 'an unknown token', quote: quoteOf(3, [[0.1, 99]], { tokenId: null }) },
    { why: 'an unknown fee', quote: quoteOf(3, [[0.1, 99]], { market: marketOf('m3', { feeSchedule: null }) }) },
  ])('has no order for a position with $why', ({ quote }) => {
    const plan = planPlacement([...quotes, quote], sharesFromNumber(20), ONE);
    expect(plan.orders.map(({ leg }) => leg)).toEqual([1, 2]);
    expect(plan.shortOf.map(({ leg, missing }) => [leg, missing])).toEqual([[3, 20_000_000]]);
    expect(plan.expectedProfit).toBe(-(plan.totalCost + plan.totalFees));
  });

  it('of nothing is empty', () => {
    const plan = planPlacement([quoteOf(1, [[0.4, 10]])], sharesFromText('0.009'), ONE);
    expect(plan).toMatchObject({ size: 0, orders: [], totalCost: 0, expectedProfitPct: null, worstCaseLoss: 0 });
  });

  it('uses whole hundredths of a share, also where the book has less', () => {
    const quote = quoteOf(1, [[0.4, 10.019]]);
    expect(planPlacement([quote], sharesFromText('7.999'), ONE).size).toBe(sharesFromText('7.99'));
    expect(planPlacement([quote], sharesFromText('11'), ONE).orders[0]?.size).toBe(sharesFromText('10.01'));
  });

  it('uses the steps in which its market takes sizes, and of several markets the coarsest', () => {
    const whole = quoteOf(1, [[0.4, 10.5]], { market: marketOf('m1', { sizeStep: sharesFromText('1') }) });
    expect(planPlacement([whole], sharesFromText('11'), ONE).orders[0]?.size).toBe(sharesFromText('10'));
    const plan = planPlacement([whole, quoteOf(2, [[0.4, 50]])], sharesFromText('7.5'), ONE);
    expect(plan.orders.map(({ size }) => size)).toEqual([7_000_000, 7_000_000]);
  });

  it('puts a limit between two prices of the grid on the higher one', () => {
    const market = marketOf('m1', { tick: tickFromText('0.01') });
    const plan = planPlacement([quoteOf(1, [], { market, book: bookOf([[0.405, 10]]) })], sharesFromNumber(5), ONE);
    expect(plan.orders[0]?.limitPrice).toBe(priceFromNumber(0.41));
  });

  it('rounds the average price up, as it does the cost', () => {
    const asks = [
      [0.4, 5],
      [0.41, 10],
    ] as const;
    expect(planPlacement([quoteOf(1, asks)], sharesFromNumber(15), ONE).orders[0]?.averagePrice).toBe(406_667);
  });

  it('calls an outcome what the venue calls it', () => {
    const quotes = [
      quoteOf(1, [[0.4, 10]], { outcome: 'YES' }),
      quoteOf(2, [[0.4, 10]], { outcome: 'no', tokenId: 'm2-no' }),
      quoteOf(3, [], { outcome: 'maybe', tokenId: null }),
    ];
    const { orders, shortOf } = planPlacement(quotes, sharesFromNumber(5), ONE);
    expect(orders.map(({ outcome }) => outcome)).toEqual(['Yes', 'No']);
    expect(shortOf.map(({ outcome }) => outcome)).toEqual(['maybe']);
  });

  it('has a worst case of all orders but the cheapest', () => {
    const three = [0.2, 0.3, 0.4].map((price, index) => quoteOf(index + 1, [[price, 50]], { rate: 0 }));
    expect(usdToNumber(planPlacement(three, sharesFromNumber(10), ONE).worstCaseLoss)).toBe(7);
    expect(planPlacement(three.slice(0, 1), sharesFromNumber(10), ONE).worstCaseLoss).toBe(0);
  });

  it('needs no level beyond its limits, and its totals add up', () => {
    fc.assert(
      fc.property(anyQuotes, fc.integer({ min: 1, max: 3000 }), (some, hundredths) => {
        const size = (hundredths * 10_000) as Shares;
        const plan = planPlacement(some, size, ONE);
        for (const order of plan.orders) {
          const asks = some.flatMap((quote) => (quote.leg === order.leg ? asksOf(quote) : []));
          expect(sizeWithin(asks, order.limitPrice, 'buy')).toBeGreaterThanOrEqual(order.size);
          expect(sizeWithin(asks, priceFromNumber((order.limitPrice - 1) / 1e6), 'buy')).toBeLessThan(order.size);
          expect(order.cost).toBe(walkBook(asks, order.size, 'buy').cost);
          expect(order.cost + order.fee).toBeLessThanOrEqual(order.reserve);
          expect(order.size + (plan.shortOf.find(({ leg }) => leg === order.leg)?.missing ?? 0)).toBe(size);
        }
        const spent = plan.orders.map(({ cost, fee }) => cost + fee);
        const total = spent.reduce((sum, amount) => sum + amount, 0);
        expect(plan.totalCost + plan.totalFees).toBe(total);
        expect(plan.worstCaseLoss).toBe(total - Math.min(...spent));
        if (plan.shortOf.length === 0) expect(plan.expectedProfit).toBe(size - total);
      }),
    );
  });
});
