import { type Price, priceFromMicro } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromMicro } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptBook, replaceBook } from './book.ts';
import type { Level, Side } from './level.ts';
import { depthUsd, priceAtNotional, runningTotals, sharesForNotional, sizeWithin, walkBook } from './walk.ts';

const MILLION = 1_000_000n;
const divideUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** Sizes from dust to far more than any market holds; their products leave the range of exact doubles. */
const anyLevels = fc
  .array(
    fc.record({
      price: fc.integer({ min: 1, max: 999_999 }).map(priceFromMicro),
      size: fc
        .oneof(fc.integer({ min: 1, max: 50_000_000 }), fc.integer({ min: 1, max: 500_000_000_000_000 }))
        .map(sharesFromMicro),
    }),
    { maxLength: 8 },
  )
  .map((asks) => {
    const book = new KeptBook();
    replaceBook(book, asks, asks);
    return book;
  });

const worth = ({ price, size }: { price: number; size: number | bigint }) => BigInt(price) * BigInt(size);

/** Each level's part of `size`, exactly. */
function takenFrom(levels: readonly Level[], size: Shares): { price: Price; size: bigint }[] {
  let left = BigInt(size);
  const taken: { price: Price; size: bigint }[] = [];
  for (const level of levels) {
    const part = left < BigInt(level.size) ? left : BigInt(level.size);
    if (part > 0n) taken.push({ price: level.price, size: part });
    left -= part;
  }
  return taken;
}

describe('the price at which a notional is reached', () => {
  it('is the first level whose cumulative dollars suffice', () => {
    const threshold = fc.oneof(fc.integer({ min: 1, max: 30_000_000 }), fc.integer({ min: 1, max: 1e15 }));
    fc.assert(
      fc.property(anyLevels, threshold, ({ asks }, micro) => {
        const reached = asks.findIndex((_, index) => {
          const total = asks.slice(0, index + 1).reduce((sum, level) => sum + worth(level), 0n);
          return total >= BigInt(micro) * MILLION;
        });
        expect(priceAtNotional(asks, usdFromMicro(micro))).toBe(asks[reached]?.price ?? null);
      }),
    );
  });

  it.each([10, 20_000])('is that of the level which just completes $%d', (dollars) => {
    const shares = dollars * 2;
    const asks = [shares, 1].map(
      (size, index): Level => ({
        price: priceFromMicro(500_000 + index),
        size: sharesFromMicro(size * 1_000_000),
      }),
    );
    const value = usdFromMicro(dollars * 1_000_000);
    expect(priceAtNotional(asks, value)).toBe(500_000);
    expect(priceAtNotional(asks.slice(0, 1), value)).toBe(500_000);
    expect(sharesForNotional(asks.slice(0, 1), value)).toBe(shares * 1_000_000);
    expect(priceAtNotional(asks, usdFromMicro(value + 1))).toBe(500_001);
  });

  it('counts parts of micro-dollars that only together reach it', () => {
    const halves = [1, 2, 3].map(
      (step): Level => ({ price: priceFromMicro(500_000 + step), size: sharesFromMicro(1) }),
    );
    expect(priceAtNotional(halves, usdFromMicro(1))).toBe(500_002);
    expect(priceAtNotional(halves, usdFromMicro(2))).toBeNull();
  });
});

describe('the shares that are worth a value', () => {
  const exactWorth = (levels: readonly Level[], size: number) =>
    takenFrom(levels, sharesFromMicro(size)).reduce((sum, part) => sum + worth(part), 0n);

  it('are just enough', () => {
    const anyValue = fc.oneof(fc.integer({ min: 1, max: 30_000_000 }), fc.integer({ min: 1, max: 1e15 }));
    fc.assert(
      fc.property(anyLevels, anyValue, ({ asks }, value) => {
        const shares = sharesForNotional(asks, usdFromMicro(value));
        const all = asks.reduce((sum, level) => sum + worth(level), 0n);
        if (shares === null) {
          expect(all < BigInt(value) * MILLION).toBe(true);
        } else {
          expect(exactWorth(asks, shares) >= BigInt(value) * MILLION).toBe(true);
          expect(exactWorth(asks, shares - 1) < BigInt(value) * MILLION).toBe(true);
        }
      }),
    );
  });
});

describe('walking a book', () => {
  const someSize = fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 4e15 }));

  it.each<Side>(['buy', 'sell'])('fills, costs and averages like exact rationals: %s', (side) => {
    fc.assert(
      fc.property(anyLevels, someSize, (book, micro) => {
        const levels = side === 'buy' ? book.asks : book.bids;
        const size = sharesFromMicro(micro);
        const taken = takenFrom(levels, size);
        const filled = taken.reduce((sum, part) => sum + part.size, 0n);
        const exact = taken.reduce((sum, part) => sum + worth(part), 0n);
        const divide = side === 'buy' ? divideUp : (a: bigint, b: bigint) => a / b;
        expect(walkBook(levels, size, side)).toEqual({
          filled: Number(filled),
          cost: Number(divide(exact, MILLION)),
          worstPrice: taken.at(-1)?.price ?? null,
          averagePrice: filled === 0n ? null : Number(divide(exact, filled)),
        });
      }),
    );
  });

  it('never averages worse than the worst price or better than the best', () => {
    fc.assert(
      fc.property(anyLevels, fc.integer({ min: 1, max: 1e15 }).map(sharesFromMicro), ({ asks }, size) => {
        const { averagePrice, worstPrice } = walkBook(asks, size, 'buy');
        const best = asks[0]?.price ?? null;
        if (averagePrice === null || worstPrice === null || best === null) expect(asks).toEqual([]);
        else expect(averagePrice >= best && averagePrice <= worstPrice).toBe(true);
      }),
    );
  });

  it('takes exactly what lies within the limit it reports', () => {
    fc.assert(
      fc.property(anyLevels, fc.integer({ min: 1, max: 1e15 }).map(sharesFromMicro), ({ asks }, size) => {
        const { filled, worstPrice } = walkBook(asks, size, 'buy');
        if (worstPrice === null) return;
        expect(sizeWithin(asks, worstPrice, 'buy')).toBeGreaterThanOrEqual(filled);
        expect(sizeWithin(asks, priceFromMicro(worstPrice - 1), 'buy')).toBeLessThan(filled);
      }),
    );
  });
});

describe('the size within a limit', () => {
  it.each<Side>(['buy', 'sell'])('sums every level the limit reaches: %s', (side) => {
    fc.assert(
      fc.property(anyLevels, fc.integer({ min: 0, max: 1_000_000 }).map(priceFromMicro), (book, limit) => {
        const levels = side === 'buy' ? book.asks : book.bids;
        const reached = levels.filter(({ price }) => (side === 'buy' ? price <= limit : price >= limit));
        expect(sizeWithin(levels, limit, side)).toBe(reached.reduce((sum, { size }) => sum + size, 0));
      }),
    );
  });
});

describe('the depth', () => {
  it('is all dollars on offer, rounded down', () => {
    fc.assert(
      fc.property(anyLevels, ({ asks }) => {
        const exact = asks.reduce((sum, level) => sum + worth(level), 0n) / MILLION;
        expect(depthUsd(asks)).toBe(Number(exact) as Usd);
      }),
    );
  });

  it('runs up from level to level without a drift', () => {
    fc.assert(
      fc.property(anyLevels, ({ asks }) => {
        const exact = asks.map((_, index) => asks.slice(0, index + 1).reduce((sum, level) => sum + worth(level), 0n));
        expect(runningTotals(asks).map(BigInt)).toEqual(exact.map((total) => total / MILLION));
      }),
    );
  });
});
