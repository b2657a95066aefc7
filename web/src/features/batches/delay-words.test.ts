import { expect, it } from 'vitest';
import { delayWords } from './delay-words.ts';

it.each([
  [0, '0 ms'],
  [38.4, '38 ms'],
  [999, '999 ms'],
  [1_204, '1.204 s'],
  [59_999, '59.999 s'],
  [185_000, '3m 5s'],
  [7_800_000, '2h 10m'],
  [-12, '−12 ms'],
  [-1_500, '−1.500 s'],
])('%d ms reads %s', (ms, words) => {
  expect(delayWords(ms)).toBe(words);
});
