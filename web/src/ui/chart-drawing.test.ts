import { expect, it } from 'vitest';
import { dollarTick, takesSeconds, timeTick } from './chart-drawing.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const NOON = new Date(2026, 10, 27, 12).getTime();

it.each([10 * SECOND, 30 * SECOND, MINUTE, 15 * MINUTE, DAY])('ticks %i ms apart read differently', (increment) => {
  const ticks = [0, 1, 2].map((index) => timeTick(NOON + index * increment, increment));
  expect(new Set(ticks).size).toBe(3);
});

it('midnight is shown by its day, and the seconds after it are not', () => {
  const midnight = new Date(2026, 10, 27).getTime();
  expect(timeTick(midnight, 10 * SECOND)).toBe(timeTick(midnight, DAY));
  expect(timeTick(midnight + 10 * SECOND, 10 * SECOND)).toMatch(/:10/);
});

it('an hour has room for ticks without seconds', () => {
  expect([MINUTE, 60 * MINUTE].map(takesSeconds)).toEqual([true, false]);
});

it('a loss is signed before its dollars', () => {
  expect([dollarTick(-1.5, 1), dollarTick(-10, 0), dollarTick(0.25, 2)]).toEqual(['-$1.50', '-$10', '$0.25']);
  expect(dollarTick(10_250, 0)).toBe('$10,250');
});
