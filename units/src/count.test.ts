import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCount } from './count.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [-12_345, '-12,345'],
  [1_234_567, '1,234,567'],
])('writes %d as %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

it('writes every whole number as the locale does', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
    }),
  );
});
