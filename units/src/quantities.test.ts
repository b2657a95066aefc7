import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fractionFromNumber, fractionFromText, fractionToNumber, ratio } from './fraction.ts';
import { MICRO, type Micro, type Rounding, UnitError } from './micro.ts';
import { formatPercent, percentFromNumber, percentOf, percentToNumber } from './percent.ts';
import {
  addPrices,
  complement,
  formatPrice,
  isOnTick,
  priceFromMicro,
  priceFromNumber,
  priceFromText,
  priceToNumber,
  priceToText,
  roundToTick,
  setPriceFromNumber,
  tickFromNumber,
  tickFromText,
  tickToNumber,
  tickToText,
} from './price.ts';
import {
  addShares,
  formatShares,
  minShares,
  roundSharesDown,
  roundUpToWholeShares,
  sharesFromMicro,
  sharesFromNumber,
  sharesFromText,
  sharesToNumber,
  sharesToText,
  subtractShares,
} from './shares.ts';
import {
  addUsd,
  averagePrice,
  formatUsd,
  notional,
  pricePerShare,
  sharesForUsd,
  subtractUsd,
  totalNotional,
  usdFromMicro,
  usdFromNumber,
  usdFromText,
  usdToNumber,
  usdToText,
} from './usd.ts';

const MILLION = BigInt(MICRO);
const anyPrice = fc.integer({ min: 0, max: MICRO }).map(priceFromMicro);
const anyShares = fc
  .oneof(fc.integer({ min: 0, max: 50_000_000 }), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }))
  .map(sharesFromMicro);
const bothRoundings = fc.constantFrom<Rounding>('down', 'up');

const divide = (dividend: bigint, divisor: bigint, rounding: Rounding): number =>
  Number(rounding === 'down' ? dividend / divisor : (dividend + divisor - 1n) / divisor);

describe('a price', () => {
  it.each(['0', '1', '0.5', '0.000001'])('%s is one, from text and from a number', (text) => {
    expect(priceToText(priceFromText(text))).toBe(text);
    expect(priceToNumber(priceFromNumber(Number(text)))).toBe(Number(text));
  });

  it.each(['-0.01', '1.000001', '2', 'abc', ''])('%j is none', (text) => {
    expect(() => priceFromText(text)).toThrow(UnitError);
  });

  it.each([-0.01, 1.01, Number.NaN])('%d is none', (value) => {
    expect(() => priceFromNumber(value)).toThrow(UnitError);
  });

  it.each([-1, 1_000_001, 0.5, Number.NaN])('%d micro-dollars is none', (micro) => {
    expect(() => priceFromMicro(micro)).toThrow(UnitError);
  });

  it('of a set may be above one dollar but not negative', () => {
    expect(priceToNumber(setPriceFromNumber(3))).toBe(3);
    expect(() => setPriceFromNumber(-0.5)).toThrow(UnitError);
    expect(addPrices(priceFromText('0.9'), priceFromText('0.3'))).toBe(1_200_000);
  });

  it('and its complement make a dollar', () => {
    fc.assert(
      fc.property(anyPrice, (price) => {
        expect(addPrices(price, complement(price))).toBe(MICRO);
      }),
    );
  });

  it('is shown with four decimals', () => {
    expect(formatPrice(priceFromText('0.12345'))).toBe('0.1235');
  });
});

describe('a tick', () => {
  const ticks = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'];

  it.each(ticks)('of %s makes a grid that rounding lands on, less than a step away', (text) => {
    const tick = tickFromText(text);
    fc.assert(
      fc.property(anyPrice, (price) => {
        const down = roundToTick(price, tick, 'down');
        const up = roundToTick(price, tick, 'up');
        expect(isOnTick(down, tick) && isOnTick(up, tick)).toBe(true);
        expect(down <= price && price <= up).toBe(true);
        expect(up - down).toBe(isOnTick(price, tick) ? 0 : tick);
      }),
    );
  });

  it.each(ticks)('of %s reads the same from a number', (text) => {
    const tick = tickFromNumber(Number(text));
    expect([tick, tickToText(tick), tickToNumber(tick)]).toEqual([tickFromText(text), text, Number(text)]);
  });

  it('is positive', () => {
    for (const text of ['0', '-0.01']) expect(() => tickFromText(text)).toThrow(UnitError);
    for (const value of [0, -0.01]) expect(() => tickFromNumber(value)).toThrow(UnitError);
  });
});

describe('shares', () => {
  it('are never negative', () => {
    expect(() => sharesFromText('-1')).toThrow(UnitError);
    expect(() => sharesFromNumber(-1)).toThrow(UnitError);
    expect(() => sharesFromMicro(-1)).toThrow(UnitError);
    expect(() => sharesFromMicro(0.5)).toThrow(UnitError);
    expect(() => subtractShares(sharesFromText('1'), sharesFromText('1.000001'))).toThrow(UnitError);
  });

  it('read and show', () => {
    const size = sharesFromText('1234.567');
    expect([sharesToText(size), sharesToNumber(size), formatShares(size)]).toEqual(['1234.567', 1234.567, '1,234.57']);
    expect(sharesFromNumber(1234.567)).toBe(size);
  });

  it('add, subtract and compare like integers', () => {
    const some = fc.integer({ min: 0, max: 1e15 }).map(sharesFromMicro);
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(subtractShares(addShares(a, b), b)).toBe(a);
        expect(minShares(a, b)).toBe(Math.min(a, b));
      }),
    );
  });

  it('round down to a step and up to whole shares, even where doubles have no decimals left', () => {
    fc.assert(
      fc.property(anyShares, fc.constantFrom(1, 10_000, MICRO), (size, step) => {
        const down = roundSharesDown(size, step);
        expect(down % step).toBe(0);
        expect(size - down >= 0 && size - down < step).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_007_199_254_000_000 }).map(sharesFromMicro), (size) => {
        expect(BigInt(roundUpToWholeShares(size))).toBe(((BigInt(size) + MILLION - 1n) / MILLION) * MILLION);
      }),
    );
  });
});

describe('dollars', () => {
  it('read and show, negative too', () => {
    const loss = usdFromText('-1234.5');
    expect([usdToText(loss), usdToNumber(loss), formatUsd(loss)]).toEqual(['-1234.5', -1234.5, '-$1,234.50']);
    expect([usdFromNumber(-1234.5), usdFromMicro(-1_234_500_000)]).toEqual([loss, loss]);
    expect(formatUsd(usdFromText('0.005'))).toBe('$0.01');
    expect(() => usdFromMicro(1.5)).toThrow(UnitError);
  });

  it('add and subtract', () => {
    const amount = fc.integer({ min: -1e15, max: 1e15 }).map(usdFromMicro);
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(subtractUsd(addUsd(a, b), b)).toBe(a);
      }),
    );
  });

  it('that shares cost are exact but for the stated rounding', () => {
    fc.assert(
      fc.property(anyShares, anyPrice, bothRoundings, (shares, price, rounding) => {
        expect(notional(shares, price, rounding)).toBe(divide(BigInt(shares) * BigInt(price), MILLION, rounding));
      }),
    );
  });

  it('of many parts are summed before they are rounded, and average like a rational', () => {
    const part = fc.record({ price: anyPrice, size: fc.integer({ min: 1, max: 1e14 }).map(sharesFromMicro) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), bothRoundings, (parts, rounding) => {
        const exact = parts.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n);
        const shares = parts.reduce((sum, { size }) => sum + BigInt(size), 0n);
        expect(totalNotional(parts, rounding)).toBe(divide(exact, MILLION, rounding));
        expect(averagePrice(parts, rounding)).toBe(divide(exact, shares, rounding));
      }),
    );
  });

  it('buy shares and give back a price per share', () => {
    const amount = fc.integer({ min: 0, max: 1e9 }).map(usdFromMicro);
    const size = fc.integer({ min: 1, max: 1e12 }).map(sharesFromMicro);
    const price = fc.integer({ min: 1, max: MICRO }).map(priceFromMicro);
    fc.assert(
      fc.property(amount, size, price, bothRoundings, (usd, shares, at, rounding) => {
        expect(pricePerShare(usd, shares, rounding)).toBe(divide(BigInt(usd) * MILLION, BigInt(shares), rounding));
        expect(sharesForUsd(usd, at, rounding)).toBe(divide(BigInt(usd) * MILLION, BigInt(at), rounding));
      }),
    );
  });
});

describe('fractions and percent', () => {
  it('of the same two amounts differ by a hundred', () => {
    const amount = fc.integer({ min: 0, max: 1e12 }).map(usdFromMicro);
    const whole = fc.integer({ min: 1_000_000, max: 1e12 }).map((micro) => usdFromMicro(micro) as Micro<'dollars'>);
    fc.assert(
      fc.property(amount, whole, bothRoundings, (part, all, rounding) => {
        expect(ratio(part, all, rounding)).toBe(divide(BigInt(part) * MILLION, BigInt(all), rounding));
        expect(percentOf(part, all, rounding)).toBe(divide(BigInt(part) * MILLION * 100n, BigInt(all), rounding));
      }),
    );
  });

  it('round a loss down to the greater loss', () => {
    expect(percentOf(usdFromMicro(-1), usdFromMicro(3_000_000_000), 'down')).toBe(-1);
    expect(percentOf(usdFromMicro(-1), usdFromMicro(3_000_000_000), 'up')).toBe(0);
  });

  it('read and show', () => {
    expect(fractionToNumber(fractionFromText('0.05'))).toBe(0.05);
    expect(fractionFromNumber(0.05)).toBe(50_000);
    expect(percentToNumber(percentFromNumber(0.8))).toBe(0.8);
    expect(formatPercent(percentFromNumber(-1.234))).toBe('-1.23%');
  });
});
