import { expect, test } from 'vitest';
import { cellsOf, medianRow, type Row, verdictOn } from './rows.ts';

const floor = { figure: 2, of: 'an echo' };
const row: Row = { question: 'an answer', figure: 3.1, unit: 'ms', budget: { floorTimes: 1.5 }, floor };

test('a budget in times of the floor is judged by the floor of the same run', () => {
  expect(verdictOn(row)).toBe('no');
  expect(verdictOn({ ...row, figure: 3 })).toBe('yes');
  expect(cellsOf(row)).toEqual(['an answer', '3.1 ms', '2 ms (an echo)', '1.55', '<= 1.5 times', 'no']);
  expect(cellsOf({ ...row, budget: { atMost: 5 } })).toContain('<= 5 ms');
});

test('what never happened misses a budget, and what has none is not judged', () => {
  expect(verdictOn({ ...row, figure: Number.POSITIVE_INFINITY, budget: { atMost: 9 } })).toBe('no');
  expect(verdictOn({ ...row, figure: Number.NaN, budget: { atLeast: 1 } })).toBe('no');
  expect(verdictOn({ ...row, budget: null })).toBe('');
});

test('of several runs the median figure stands beside the median floor', () => {
  const runs = [
    { ...row, figure: 9, floor: { ...floor, figure: 8 } },
    { ...row, figure: 4, floor: { ...floor, figure: 1 } },
  ] as const;
  expect(medianRow([row, ...runs])).toMatchObject({ figure: 4, floor });
});
