import { priceFromMicro } from '@dutchbook/units/price.ts';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Level } from '../book/level.ts';
import { forgetLeft, noteTaken, stillStanding, type TakenShares, withoutTaken } from './standing.ts';

const at = (price: number, size: number): Level => ({ price: priceFromMicro(price), size: sharesFromMicro(size) });
/** One side, best first, a level a price. */
const anySide = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 50 })), {
    selector: ([price]) => price,
  })
  .map((levels) => levels.map(([price, size]) => at(price, size)).toSorted((a, b) => a.price - b.price));
const sizeAt = (levels: readonly Level[], price: number) => levels.find((level) => level.price === price)?.size ?? 0;
const PRICES = Array.from({ length: 9 }, (_, index) => index + 1);

describe('what has stood all the while', () => {
  it('is at each price the least of all moments', () => {
    fc.assert(
      fc.property(fc.array(anySide, { minLength: 1, maxLength: 6 }), ([first = [], ...later]) => {
        const standing = later.reduce(stillStanding, first);
        for (const price of PRICES) {
          expect(sizeAt(standing, price)).toBe(Math.min(...[first, ...later].map((side) => sizeAt(side, price))));
        }
        expect(standing).toEqual(standing.toSorted((a, b) => a.price - b.price));
      }),
    );
  });
});

describe('what was taken', () => {
  it('is missing until its price has been left', () => {
    fc.assert(
      fc.property(anySide, anySide, anySide, (before, taken, after) => {
        const shares: TakenShares = new Map();
        noteTaken(shares, taken);
        noteTaken(shares, taken);
        forgetLeft(shares, before);
        forgetLeft(shares, after);
        const left = withoutTaken(after, shares);
        for (const price of PRICES) {
          const gone = sizeAt(before, price) > 0 ? 2 * sizeAt(taken, price) : 0;
          expect(sizeAt(left, price)).toBe(Math.max(0, sizeAt(after, price) - gone));
        }
      }),
    );
  });

  it('is nothing where nothing was taken', () => {
    expect(withoutTaken([at(4, 5)], undefined)).toEqual([at(4, 5)]);
  });
});
