import { microFromText, microToText } from '@dutchbook/units/micro.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microInText, microOrNaN } from './decimal.ts';

describe('microOrNaN', () => {
  it('reads what units reads, to the same micro-unit', () => {
    const decimals = fc.tuple(fc.nat({ max: 999_999_999 }), fc.stringMatching(/^\d{0,6}0{0,3}$/));
    fc.assert(
      fc.property(decimals, ([whole, fraction]) => {
        const text = fraction === '' ? `${whole}` : `${whole}.${fraction}`;
        expect(microOrNaN(text)).toBe(microFromText(text, 'test'));
      }),
    );
  });

  it('reads back every amount that units writes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 14 }), (micro) => {
        expect(microOrNaN(microToText(micro))).toBe(micro);
      }),
    );
  });

  it.each([
    '',
    '.',
    '-1',
    '+1',
    '1e3',
    'NaN',
    'Infinity',
    ' 1',
    '1 ',
    '0x1',
    '1.2.3',
    '0.0000001',
    '1234567890',
    null,
    3,
  ])('takes %j for no amount', (text) => {
    expect(microOrNaN(text)).toBeNaN();
  });

  it('reads a part of a text', () => {
    expect(microInText('"price":"0.55",', 9, 13)).toBe(550_000);
    expect(microInText('.5', 0, 2)).toBe(500_000);
    expect(microInText('5.', 0, 2)).toBe(5_000_000);
  });
});
