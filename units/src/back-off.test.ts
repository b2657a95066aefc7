import { describe, expect, it } from 'vitest';
import { backOffMs } from './back-off.ts';

describe('a back-off', () => {
  const pauses = (rule: Parameters<typeof backOffMs>[1], attempts = 5) =>
    Array.from({ length: attempts }, (_, attempt) => backOffMs(attempt, rule));

  it('doubles up to the slowest pause', () => {
    expect(pauses({ firstMs: 250, slowestMs: 1500 })).toEqual([250, 500, 1000, 1500, 1500]);
  });

  it('grows by another factor where one is given', () => {
    expect(pauses({ firstMs: 5000, slowestMs: 600_000, factor: 4 })).toEqual([5000, 20_000, 80_000, 320_000, 600_000]);
  });

  it('stays at the slowest pause however often it is asked', () => {
    expect(backOffMs(Number.MAX_SAFE_INTEGER, { firstMs: 1, slowestMs: 2000 })).toBe(2000);
  });
});
