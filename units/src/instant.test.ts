import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elapsedMs, type Instant, instantFromIso, instantFromMs, instantToIso, startOfUtcDay } from './instant.ts';
import { UnitError } from './micro.ts';

describe('an instant', () => {
  it.each([
    ['2026-11-03T12:00:00Z', '2026-11-03T12:00:00.000Z'],
    ['2026-11-03T12:00:00.123456Z', '2026-11-03T12:00:00.123Z'],
    ['2026-11-03T12:00:00', '2026-11-03T12:00:00.000Z'],
    ['2026-11-03 12:00:00', '2026-11-03T12:00:00.000Z'],
    ['2026-11-03T12:00', '2026-11-03T12:00:00.000Z'],
    ['2026-11-03', '2026-11-03T00:00:00.000Z'],
    ['2026-11-03T12:00:00+02:00', '2026-11-03T10:00:00.000Z'],
    ['2026-11-03 12:00:00+00', '2026-11-03T12:00:00.000Z'],
    ['2026-11-03T12:00:00-0530', '2026-11-03T17:30:00.000Z'],
    ['2028-02-29T00:00:00z', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(instantToIso(instantFromIso(text))).toBe(iso);
  });

  it.each([
    '',
    'tomorrow',
    '2026',
    '2026-13-01',
    '2026-02-31',
    '2027-02-29T00:00:00Z',
    '12:00',
    '2026-11-03T25:00:00Z',
  ])('%j is none', (text) => {
    expect(() => instantFromIso(text)).toThrow(UnitError);
  });

  it('returns from its text to the same millisecond', () => {
    const fourDigitYears = fc.integer({ min: 0, max: 253_402_300_799_999 }).map(instantFromMs);
    fc.assert(
      fc.property(fourDigitYears, (instant) => {
        expect(instantFromIso(instantToIso(instant))).toBe(instant);
      }),
    );
  });

  it('is written as a date writes it, whatever was written before', () => {
    const any = fc.integer({ min: -8.64e15, max: 8.64e15 });
    fc.assert(
      fc.property(any, fc.integer({ min: -100_000_000, max: 100_000_000 }), (ms, apart) => {
        for (const each of [ms, Math.max(-8.64e15, Math.min(8.64e15, ms + apart))])
          expect(instantToIso(instantFromMs(each))).toBe(new Date(each).toISOString());
      }),
    );
    expect(() => instantToIso(Number.NaN as Instant)).toThrow(RangeError);
  });

  it('is a whole number of milliseconds that a date can hold', () => {
    for (const ms of [0.5, Number.NaN, 8.64e15 + 1]) expect(() => instantFromMs(ms)).toThrow(UnitError);
  });

  it('belongs to a day that began at midnight UTC', () => {
    const startOf = (text: string) => instantToIso(startOfUtcDay(instantFromIso(text)));
    expect(startOf('2026-06-01T23:59:59.999Z')).toBe('2026-06-01T00:00:00.000Z');
    expect(startOf('2026-06-01T00:00:00Z')).toBe('2026-06-01T00:00:00.000Z');
    expect(startOf('1969-12-31T12:00:00Z')).toBe('1969-12-31T00:00:00.000Z');
  });

  it('measures time, backwards too', () => {
    expect(elapsedMs(instantFromMs(1_000), instantFromMs(1_250))).toBe(250);
    expect(elapsedMs(instantFromMs(1_250), instantFromMs(1_000))).toBe(-250);
  });
});
