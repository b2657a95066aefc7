import { fractionFromNumber, fractionFromText } from '@dutchbook/units/fraction.ts';
import { UnitError } from '@dutchbook/units/micro.ts';
import { priceFromMicro, priceFromText } from '@dutchbook/units/price.ts';
import { ONE_SHARE, sharesFromMicro, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdToText } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takerFee, takerFeeOfLevels } from './fee.ts';

const anyPrice = fc.integer({ min: 0, max: 1_000_000 }).map(priceFromMicro);
const anyRate = fc.integer({ min: 0, max: 1_000_000 }).map((micro) => fractionFromNumber(micro / 1e6));
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
    expect(usdToText(takerFee(sharesFromText(size), priceFromText(price), fractionFromText(rate)))).toBe(fee);
  });

  it('is the exact product rounded up to five decimals, for one share as for any size', () => {
    fc.assert(
      fc.property(anySize, anyPrice, anyRate, (size, price, rate) => {
        const exact = BigInt(size) * BigInt(rate) * BigInt(price) * BigInt(1_000_000 - price);
        const scale = 10n ** 19n;
        const steps = exact / scale + (exact % scale > 0n ? 1n : 0n);
        expect(BigInt(takerFee(size, price, rate))).toBe(steps * 10n);
      }),
      { numRuns: 500 },
    );
  });

  it('of one share is the same computed without big integers', () => {
    fc.assert(
      fc.property(anyPrice, anyRate, (price, rate) => {
        const exact = BigInt(rate) * BigInt(price) * BigInt(1_000_000 - price);
        expect(BigInt(takerFee(ONE_SHARE, price, rate))).toBe(((exact + 10n ** 13n - 1n) / 10n ** 13n) * 10n);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same at a price and at its complement', () => {
    fc.assert(
      fc.property(anySize, anyPrice, anyRate, (size, price, rate) => {
        expect(takerFee(size, price, rate)).toBe(takerFee(size, priceFromMicro(1_000_000 - price), rate));
      }),
    );
  });

  it('of several levels is that of each, rounded each for itself', () => {
    const size = sharesFromText('0.01');
    const levels = ['0.01', '0.02', '0.03'].map((price) => ({ price: priceFromText(price), size }));
    expect(usdToText(takerFeeOfLevels(levels, fractionFromText('0.01')))).toBe('0.00003');
  });

  it('that cannot be held exactly is refused', () => {
    const rate = fractionFromNumber(1_000_000);
    expect(() => takerFee(sharesFromMicro(9e15), priceFromText('0.5'), rate)).toThrow(
      new UnitError('the fee of 9000000000000000 micro-shares is too large to hold exactly'),
    );
  });
});
