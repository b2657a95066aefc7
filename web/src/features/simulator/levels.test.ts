import { expect, it } from 'vitest';
import { levelsFrom } from './levels.ts';

it('reads a price and a size a line, and quotes the first line that is none', () => {
  expect(levelsFrom(' 0.31 40\n\n0.3\t2.5 ')).toEqual([
    { price: 310_000, size: 40_000_000 },
    { price: 300_000, size: 2_500_000 },
  ]);
  expect(levelsFrom('')).toEqual([]);
  for (const line of ['0.31', '0.31 40 1', 'x 4', '0.31 -4', '1.5 4'])
    expect(levelsFrom(`0.3 1\n${line}`)).toBe(`“${line}” should be a price and a size, like 0.31 40`);
});
