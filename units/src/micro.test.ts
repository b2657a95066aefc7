import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  divInteger,
  microFromNumber,
  microFromText,
  microToFixed,
  microToNumber,
  microToText,
  mulAddDiv,
  mulDiv,
  type Rounding,
  UnitError,
} from './micro.ts';

const anySafe = fc.maxSafeInteger();
const anyDivisor = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const bothRoundings = fc.constantFrom<Rounding>('down', 'up');

/** The quotient as a rational rounded the slow way, or null where it cannot be held. */
function exactQuotient(dividend: bigint, divisor: bigint, rounding: Rounding): number | null {
  const floor = (dividend - (((dividend % divisor) + divisor) % divisor)) / divisor;
  const quotient = rounding === 'down' || floor * divisor === dividend ? floor : floor + 1n;
  return Number.isSafeInteger(Number(quotient)) ? Number(quotient) : null;
}

describe('decimal text', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['0.55', 550_000],
    ['.5', 500_000],
    ['-.5', -500_000],
    ['5.', 5_000_000],
    ['-12', -12_000_000],
    ['0.000001', 1],
    ['0.0000010000', 1],
    ['0001.10', 1_100_000],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
  ])('%s is %d millionths', (text, micro) => {
    expect(microFromText(text, 'amount')).toBe(micro);
  });

  it.each(
    [
      ['', ' ', '-', '.', '+1', '1e-7', '1,5', '0x1', 'NaN', 'Infinity', ' 1', '1 ', '1.2.3', '--1', '٣'],
      ['0.0000001', '-0.1234567', '9007199254.740992', '99999999999'],
    ].flat(),
  )('%j is refused', (text) => {
    expect(() => microFromText(text, 'amount')).toThrow(UnitError);
  });

  it('returns from text to the same value', () => {
    fc.assert(
      fc.property(anySafe, (micro) => {
        expect(microFromText(microToText(micro), 'amount')).toBe(micro);
      }),
    );
  });

  it('is the shortest decimal, without an exponent', () => {
    const shortest = /^-?(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;
    fc.assert(
      fc.property(anySafe, (micro) => {
        expect(microToText(micro)).toMatch(shortest);
      }),
    );
  });
});

describe('JSON numbers', () => {
  it('keep every value of up to nine digits before the point', () => {
    const micros = fc.integer({ min: -1e15, max: 1e15 });
    fc.assert(
      fc.property(micros, (micro) => {
        expect(microFromNumber(microToNumber(micro), 'amount')).toBe(micro);
      }),
    );
  });

  it('go to the nearest millionth', () => {
    expect(microFromNumber(0.1 + 0.2, 'amount')).toBe(300_000);
    expect(microFromNumber(0.0000004, 'amount')).toBe(0);
    expect(microFromNumber(0.0000006, 'amount')).toBe(1);
    expect(Object.is(microFromNumber(-0.0000001, 'amount'), 0)).toBe(true);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e10, -1e300])('refuse %d', (value) => {
    expect(() => microFromNumber(value, 'amount')).toThrow(UnitError);
  });
});

describe('text for people', () => {
  it.each([
    [1_234_567_891_000, 2, '1,234,567.89'],
    [5_000, 2, '0.01'],
    [4_999, 2, '0.00'],
    [-5_000, 2, '-0.01'],
    [-4_999, 2, '0.00'],
    [999_999, 4, '1.0000'],
    [1_500_000, 0, '2'],
    [123_456, 6, '0.123456'],
  ])('%d with %d decimals is %s', (micro, decimals, text) => {
    expect(microToFixed(micro, decimals)).toBe(text);
  });

  it('is never further off than half of its last place', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), fc.integer({ min: 0, max: 6 }), (micro, decimals) => {
        const read = microFromText(microToFixed(micro, decimals).replaceAll(',', ''), 'amount');
        expect(Math.abs(read - micro) * 2).toBeLessThanOrEqual(10 ** (6 - decimals));
      }),
    );
  });
});

describe('division with a stated rounding', () => {
  it.each([
    { dividend: 7, down: 3, up: 4 },
    { dividend: -7, down: -4, up: -3 },
    { dividend: 8, down: 4, up: 4 },
    { dividend: -8, down: -4, up: -4 },
    { dividend: 1, down: 0, up: 1 },
    { dividend: -1, down: -1, up: 0 },
    { dividend: 0, down: 0, up: 0 },
  ])('$dividend / 2 is $down or $up', ({ dividend, down, up }) => {
    expect([divInteger(dividend, 2, 'down'), divInteger(dividend, 2, 'up')]).toEqual([down, up]);
  });

  it('agrees with big integers', () => {
    fc.assert(
      fc.property(anySafe, anyDivisor, bothRoundings, (dividend, divisor, rounding) => {
        const exact = exactQuotient(BigInt(dividend), BigInt(divisor), rounding);
        expect(divInteger(dividend, divisor, rounding)).toBe(exact);
      }),
    );
  });

  it('of a product and of a product with a summand agrees with big integers, or refuses what cannot be held', () => {
    fc.assert(
      fc.property(anySafe, anySafe, anySafe, anyDivisor, bothRoundings, (a, b, c, divisor, rounding) => {
        const product = exactQuotient(BigInt(a) * BigInt(b), BigInt(divisor), rounding);
        if (product === null) expect(() => mulDiv(a, b, divisor, rounding)).toThrow(UnitError);
        else expect(mulDiv(a, b, divisor, rounding)).toBe(product);
        const sum = exactQuotient(BigInt(a) * BigInt(b) + BigInt(c), BigInt(divisor), rounding);
        if (sum === null) expect(() => mulAddDiv(a, b, c, divisor, rounding)).toThrow(UnitError);
        else expect(mulAddDiv(a, b, c, divisor, rounding)).toBe(sum);
      }),
    );
  });

  it('agrees with big integers on the sizes of everyday trading', () => {
    const everyday = fc.integer({ min: -2_000_000_000, max: 2_000_000_000 });
    fc.assert(
      fc.property(
        everyday,
        everyday,
        fc.integer({ min: 1_000, max: 1e9 }),
        bothRoundings,
        (a, b, divisor, rounding) => {
          const exact = exactQuotient(BigInt(a) * BigInt(b), BigInt(divisor), rounding);
          expect(mulDiv(a, b, divisor, rounding)).toBe(exact);
        },
      ),
    );
  });
});
