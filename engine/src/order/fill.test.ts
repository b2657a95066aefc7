import { priceFromMicro, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromMicro, sharesFromText } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { feeOf } from '../opportunity/quotes.fixture.ts';
import { bookedAsMaker, bookedAsTaker } from './fill.ts';

const SCHEDULE = feeOf(0.05);
const odd = ['1.000001', '2.000003', '0.000005'].map((size) => ({
  price: priceFromText('0.333'),
  size: sharesFromText(size),
}));

it('counts odd matches as the venue books them: each in whole micro-dollars, against the taker', () => {
  expect(bookedAsTaker(odd, 'buy', SCHEDULE).cost).toBe(333_001 + 666_001 + 2);
  expect(bookedAsTaker(odd, 'sell', SCHEDULE).cost).toBe(333_000 + 666_000 + 1);
});

it('gives the standing order what its taker loses', () => {
  const costs = (side: 'buy' | 'sell') => odd.map((match) => bookedAsMaker(match, side, feeOf(0)).cost);
  expect(costs('sell')).toEqual([333_001, 666_001, 2]);
  expect(costs('buy')).toEqual([333_000, 666_000, 1]);
});

it('takes of a standing order the fee of makers, and of a sale no more than it brings', () => {
  const match = { price: priceFromText('0.5'), size: sharesFromText('100') };
  expect(bookedAsMaker(match, 'buy', feeOf(0.0175))).toEqual({ cost: 50_000_000, fee: 437_500 });
  const tiny = { price: priceFromText('0.001'), size: sharesFromText('0.01') };
  expect(bookedAsMaker(tiny, 'sell', feeOf(0.0175))).toEqual({ cost: 10, fee: 10 });
});

it('takes a fee of each match at its own price, and of a sale no more than it brings', () => {
  const matches = [
    { price: priceFromText('0.4'), size: sharesFromText('10') },
    { price: priceFromText('0.5'), size: sharesFromText('3') },
    { price: priceFromText('0.6'), size: sharesFromText('0.00001') },
  ];
  // 10 x 0.05 x 0.4 x 0.6, 3 x 0.05 x 0.5 x 0.5, and a hundred thousandth of a share: the least there is, six micro-dollars are its price.
  expect(bookedAsTaker(matches, 'buy', SCHEDULE)).toMatchObject({ cost: 5_500_006, fee: 120_000 + 37_500 + 10 });
  expect(bookedAsTaker(matches, 'sell', SCHEDULE)).toMatchObject({ cost: 5_500_006, fee: 120_000 + 37_500 + 6 });
});

it('shows an average price that is never better than what was paid, and by less than a micro-dollar a share worse', () => {
  const anyMatch = fc.record({
    price: fc.integer({ min: 1, max: 999_999 }).map(priceFromMicro),
    size: fc.integer({ min: 1, max: 1e12 }).map(sharesFromMicro),
  });
  fc.assert(
    fc.property(fc.array(anyMatch, { minLength: 1, maxLength: 6 }), (matches) => {
      const worth = matches.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n);
      const size = matches.reduce((sum, match) => sum + BigInt(match.size), 0n);
      const bought = bookedAsTaker(matches, 'buy', SCHEDULE);
      const sold = bookedAsTaker(matches, 'sell', SCHEDULE);
      expect([BigInt(bought.size), BigInt(sold.size)]).toEqual([size, size]);
      const over = BigInt(bought.price) * size - worth;
      const under = worth - BigInt(sold.price) * size;
      for (const gap of [over, under]) expect(gap >= 0n && gap < size).toBe(true);
      const count = BigInt(matches.length);
      const million = 1_000_000n;
      expect(BigInt(bought.cost) * million - worth >= 0n).toBe(true);
      expect(BigInt(bought.cost) * million - worth < count * million).toBe(true);
      expect(worth - BigInt(sold.cost) * million >= 0n).toBe(true);
      expect(worth - BigInt(sold.cost) * million < count * million).toBe(true);
    }),
  );
});
