import { type Price, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { notional } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeLevels, totalSize, walkBook } from '../book/walk.ts';
import { maxProfitableSize, profitCurve } from './curve.ts';
import { takerFee, takerFeeOfLevels } from './fee.ts';
import { anyQuotes, marketOf, quoteOf } from './quotes.fixture.ts';
import type { PositionQuote } from './value.ts';

const ONE = setPriceFromNumber(1);
const anyTarget = fc.integer({ min: 100_000, max: 2_500_000 }).map((micro) => micro as Price);

const asksOf = ({ book }: PositionQuote) => book?.asks ?? [];
const feeScheduleOf = ({ market }: PositionQuote) => {
  const schedule = market?.feeSchedule ?? null;
  if (schedule === null) throw new Error('every generated market has a fee schedule');
  return schedule;
};

/** What a size costs and leaves, each position walked from the start of its book. */
function figuresAt(quotes: readonly PositionQuote[], size: Shares, targetPrice: Price) {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const cost = sum(quotes.map((quote) => walkBook(asksOf(quote), size, 'buy').cost));
  const fees = sum(quotes.map((quote) => takerFeeOfLevels(takeLevels(asksOf(quote), size), feeScheduleOf(quote))));
  return { cost, fees, profit: notional(size, targetPrice, 'down') - cost - fees };
}

/** Whether the set that lies just below `size` still pays: found by looking up every position's level there. */
function lastSetPays(quotes: readonly PositionQuote[], size: Shares, targetPrice: Price): boolean {
  const costs = quotes.map((quote) => {
    const price = takeLevels(asksOf(quote), size).at(-1)?.price;
    const isThere = price !== undefined && totalSize(asksOf(quote)) >= size;
    return isThere ? price + takerFee(ONE_SHARE, price, feeScheduleOf(quote)) : Number.POSITIVE_INFINITY;
  });
  return costs.reduce((total, cost) => total + cost, 0) < targetPrice;
}

describe('the largest profitable size', () => {
  it('stops where the next level no longer pays', () => {
    const quotes = [
      quoteOf(1, [
        [0.4, 10],
        [0.45, 30],
      ]),
      quoteOf(2, [
        [0.5, 25],
        [0.6, 100],
      ]),
    ];
    expect(maxProfitableSize(quotes, ONE)).toBe(sharesFromNumber(25));
    expect(maxProfitableSize(quotes, setPriceFromNumber(0.93))).toBe(sharesFromNumber(10));
    expect(maxProfitableSize(quotes, setPriceFromNumber(5))).toBe(sharesFromNumber(40));
    expect(maxProfitableSize(quotes, setPriceFromNumber(0.9))).toBe(0);
  });

  it('leaves out sets that cost just what they pay', () => {
    const quotes = [
      quoteOf(
        1,
        [
          [0.4, 10],
          [0.5, 10],
        ],
        { rate: 0 },
      ),
      quoteOf(2, [[0.5, 100]], { rate: 0 }),
    ];
    expect(maxProfitableSize(quotes, ONE)).toBe(sharesFromNumber(10));
  });

  it('is a whole number of shares', () => {
    expect(maxProfitableSize([quoteOf(1, [[0.4, 10.99]])], ONE)).toBe(sharesFromNumber(10));
  });

  it('is the last whole share at which a slow search finds the last set still paying', () => {
    fc.assert(
      fc.property(anyQuotes, anyTarget, (quotes, targetPrice) => {
        let size = 0;
        while (lastSetPays(quotes, ((size + 1) * ONE_SHARE) as Shares, targetPrice)) size += 1;
        expect(maxProfitableSize(quotes, targetPrice)).toBe(size * ONE_SHARE);
      }),
    );
  });

  it('makes no less profit than any smaller size, but for the rounding of fees', () => {
    fc.assert(
      fc.property(anyQuotes, anyTarget, fc.double({ min: 0, max: 1, noNaN: true }), (quotes, targetPrice, part) => {
        const size = maxProfitableSize(quotes, targetPrice);
        const smaller = Math.floor((size / ONE_SHARE) * part) * ONE_SHARE;
        const feeSteps = quotes.reduce((sum, quote) => sum + asksOf(quote).length, 0);
        const best = figuresAt(quotes, size, targetPrice).profit;
        expect(best + 10 * feeSteps).toBeGreaterThanOrEqual(figuresAt(quotes, smaller as Shares, targetPrice).profit);
      }),
    );
  });

  it.each([
    { why: 'no positions', quotes: [] },
    { why: 'a closed market', quotes: [quoteOf(1, [[0.1, 10]], { market: marketOf('m1', { closed: true }) })] },
    { why: 'an unknown market', quotes: [quoteOf(1, [[0.1, 10]], { market: undefined })] },
    { why: 'an unknown fee', quotes: [quoteOf(1, [[0.1, 10]], { market: marketOf('m1', { feeSchedule: null }) })] },
    { why: 'an unknown token', quotes: [quoteOf(1, [[0.1, 10]], { tokenId: null })] },
    { why: 'no book', quotes: [quoteOf(1, [], { book: undefined })] },
    { why: 'an empty book', quotes: [quoteOf(1, [[0.1, 10]]), quoteOf(2, [])] },
  ])('is zero and has no curve with $why', ({ quotes }) => {
    expect(maxProfitableSize(quotes, ONE)).toBe(0);
    expect(profitCurve(quotes, ONE)).toEqual([]);
  });
});

describe('the profit curve', () => {
  it('has a point at every size where a level ends, up to the thinnest book, with the figures of a fresh walk', () => {
    fc.assert(
      fc.property(anyQuotes, anyTarget, (quotes, targetPrice) => {
        const thinnest = Math.min(...quotes.map((quote) => totalSize(asksOf(quote))));
        const ends = quotes.flatMap((quote) =>
          asksOf(quote).map((_, index, asks) => totalSize(asks.slice(0, index + 1))),
        );
        const sizes = [...new Set(ends)].filter((size) => size <= thinnest).sort((a, b) => a - b);
        const points = profitCurve(quotes, targetPrice);
        expect(points.map(({ size }) => size)).toEqual(sizes);
        for (const point of points) expect(point).toMatchObject(figuresAt(quotes, point.size, targetPrice));
      }),
    );
  });

  it('sums parts of a micro-dollar exactly over the levels of a position', () => {
    const quotes = [
      quoteOf(1, [
        [0.35, 0.333333],
        [0.37, 0.333333],
        [0.39, 1],
      ]),
      quoteOf(2, [[0.51, 5]]),
    ];
    const points = profitCurve(quotes, ONE);
    expect(points.map(({ size }) => size)).toEqual([333_333, 666_666, 1_666_666]);
    for (const point of points) expect(point).toMatchObject(figuresAt(quotes, point.size, ONE));
  });

  it('grows dearer from point to point', () => {
    fc.assert(
      fc.property(anyQuotes, (quotes) => {
        const costs = profitCurve(quotes, ONE).map(({ marginalCost }) => marginalCost);
        expect(costs).toEqual([...costs].sort((a, b) => a - b));
      }),
    );
  });
});
