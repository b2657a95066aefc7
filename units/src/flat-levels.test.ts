import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlatLevels, placeOfPrice, setFlatLevel, unfoldedLevels } from './flat-levels.ts';
import { type Price, priceFromMicro } from './price.ts';
import { type Shares, sharesFromMicro } from './shares.ts';

/** Few prices, so that changes often meet a level that is there; sizes beyond 32 bits as well. */
const change = fc.record({
  price: fc.integer({ min: 1, max: 12 }).map((step) => priceFromMicro(step * 10_000)),
  size: fc.constantFrom(0, 1, 5_000_000, 90_000_000_000).map(sharesFromMicro),
});

describe.each([
  { name: 'bids', ofBids: true },
  { name: 'asks', ofBids: false },
])('$name as plain numbers', ({ ofBids }) => {
  it('follow any run of changes like a map from price to size, and say which of them changed something', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const levels: FlatLevels = [];
        const sizes = new Map<Price, Shares>();
        for (const { price, size } of changes) {
          expect(setFlatLevel(levels, ofBids, price, size)).toBe((sizes.get(price) ?? 0) !== size);
          if (size > 0) sizes.set(price, size);
          else sizes.delete(price);
        }
        const sorted = [...sizes].sort(([one], [other]) => (ofBids ? other - one : one - other));
        expect(unfoldedLevels(levels)).toEqual(sorted.map(([price, size]) => ({ price, size })));
        for (const [place, [price]] of sorted.entries()) expect(placeOfPrice(levels, ofBids, price)).toBe(2 * place);
      }),
    );
  });
});
