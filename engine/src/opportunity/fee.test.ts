import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { UnitError } from '@dutchbook/units/micro.ts';
import { priceFromMicro, priceFromText } from '@dutchbook/units/price.ts';
import { ONE_SHARE, sharesFromMicro, sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takerFee, takerFeeOfLevels } from './fee.ts';
import { feeOf } from './quotes.fixture.ts';

const anyPrice = fc.integer({ min: 0, max: 1_000_000 }).map(priceFromMicro);
const anyRate = fc.integer({ min: 0, max: 1_000_000 }).map((micro) => fractionFromNumber(micro / 1e6));
/** Up to a cent. */
const anyStep = fc.constantFrom(1, 10, 100, 10_000).map((micro) => micro as Usd);
const anySize = fc
  .oneof(fc.constant(1_000_000), fc.integer({ min: 0, max: 1e8 }), fc.integer({ min: 0, max: 1e15 }))
  .map(sharesFromMicro);

describe('the taker fee', () => {
  it.each([
    { size: '1', price: '0.5', rate: '0.04', fee: '0.01' },
    { size: '100', price: '0.5', rate: '0.07', fee: '1.75' },
    { size: '1', price: '0.33', rate: '0.04', fee: '0.00885' },
    { size: '1', price: '0.01', rate: '0.05', fee: '0.0005' },
    { size: '0.01', price: '0.01', rate: '0.05', fee: '0.00001' },
    { size: '7', price: '0.42', rate: '0', fee: '0' },
    { size: '0', price: '0.42', rate: '0.05', fee: '0' },
    { size: '5', price: '0', rate: '0.05', fee: '0' },
    { size: '5', price: '1', rate: '0.05', fee: '0' },
  ])('of $size shares at $price and a rate of $rate is $fee', ({ size, price, rate, fee }) => {
    expect(usdToText(takerFee(sharesFromText(size), priceFromText(price), feeOf(Number(rate))))).toBe(fee);
  });

  it('is rounded to the cents of a venue that books whole ones', () => {
    const schedule = { ...feeOf(0.07), step: usdFromText('0.01') };
    expect(usdToText(takerFee(ONE_SHARE, priceFromText('0.5'), schedule))).toBe('0.02');
    expect(usdToText(takerFee(sharesFromText('3'), priceFromText('0.5'), schedule))).toBe('0.06');
  });

  it('is the exact product rounded up to the step of the venue, for one share as for any size', () => {
    fc.assert(
      fc.property(anySize, anyPrice, anyRate, anyStep, (size, price, rate, step) => {
        const exact = BigInt(size) * BigInt(rate) * BigInt(price) * BigInt(1_000_000 - price);
        const scale = 10n ** 18n * BigInt(step);
        const steps = exact / scale + (exact % scale > 0n ? 1n : 0n);
        expect(BigInt(takerFee(size, price, { rate, step }))).toBe(steps * BigInt(step));
      }),
      { numRuns: 500 },
    );
  });

  it('of one share is the same computed without big integers', () => {
    fc.assert(
      fc.property(anyPrice, anyRate, anyStep, (price, rate, step) => {
        const exact = BigInt(rate) * BigInt(price) * BigInt(1_000_000 - price);
        const scale = 10n ** 12n * BigInt(step);
        expect(BigInt(takerFee(ONE_SHARE, price, { rate, step }))).toBe(((exact + scale - 1n) / scale) * BigInt(step));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same at a price and at its complement', () => {
    fc.assert(
      fc.property(anySize, anyPrice, anyRate, anyStep, (size, price, rate, step) => {
        expect(takerFee(size, price, { rate, step })).toBe(
          takerFee(size, priceFromMicro(1_000_000 - price), { rate, step }),
        );
      }),
    );
  });

  it('of several levels is that of each, rounded each for itself', () => {
    const size = sharesFromText('0.01');
    const levels = ['0.01', '0.02', '0.03'].map((price) => ({ price: priceFromText(price), size }));
    expect(usdToText(takerFeeOfLevels(levels, feeOf(0.01)))).toBe('0.00003');
  });

  it('that cannot be held exactly is refused', () => {
    const schedule = feeOf(1_000_000);
    expect(() => takerFee(sharesFromMicro(9e15), priceFromText('0.5'), schedule)).toThrow(
      new UnitError('the fee of 9000000000000000 micro-shares is too large to hold exactly'),
    );
  });
});
