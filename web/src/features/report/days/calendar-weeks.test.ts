import { expect, it } from 'vitest';
import { monthAfter, weeksBetween, weeksOf } from './calendar-weeks.ts';

it('lays a month out in weeks from Monday on', () => {
  const weeks = weeksOf('2026-11');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, '2026-11-01']);
  expect(weeks[1]?.[0]).toBe('2026-11-02');
  expect(weeks[5]?.[0]).toBe('2026-11-30');
  expect(weeks[5]?.[1]).toBeUndefined();
  expect(weeksOf('2028-02').flat().filter(Boolean)).toHaveLength(29);
});

it('leaves out weeks before the first and after the last day that is known', () => {
  const weeks = (...days: string[]) => weeksBetween('2026-11', days).map((week) => week.find(Boolean));
  expect(weeks('2026-11-18')).toEqual(['2026-11-16']);
  expect(weeks('2026-10-30', '2026-11-08', '2026-11-17')).toEqual(['2026-11-02', '2026-11-09', '2026-11-16']);
  expect(weeks('2026-11-01', '2026-11-30')).toHaveLength(6);
  expect(weeks()).toHaveLength(6);
});

it('goes from month to month over the end of a year', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01');
  expect(monthAfter('2026-01', -1)).toBe('2025-12');
});
