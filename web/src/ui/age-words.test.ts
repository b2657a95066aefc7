import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { ageWords } from './age-words.ts';

const HOUR_MS = 3_600_000;

it.each([
  ['just now', 59_999],
  ['1m ago', 60_000],
  ['59m ago', HOUR_MS - 1],
  ['1h ago', HOUR_MS],
  ['23h ago', 24 * HOUR_MS - 1],
  ['2d ago', 50 * HOUR_MS],
  // The server's clock may be ahead of this machine's.
  ['just now', -20_000],
  ['in 2h', -2 * HOUR_MS],
])('says %s after %i ms', (words, ageMs) => {
  expect(ageWords(instantFromMs(0), ageMs)).toBe(words);
});
