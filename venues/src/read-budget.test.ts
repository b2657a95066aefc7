import type { Instant } from '@dutchbook/units/instant.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadBudget, type ReadPriority } from './read-budget.ts';

const WINDOW_MS = 10_000;
const LIMIT = 500;
const NOW = 1_000_000;

const open = () => new ReadBudget(new Map([['/books', { calls: LIMIT, windowMs: WINDOW_MS }]]));
const at = (ms: number) => (NOW + ms) as Instant;

/** What becomes of so many calls at once. */
function crowd(budget: ReadBudget, priority: ReadPriority, count: number, ms = 0) {
  return Array.from({ length: count }, () => budget.takeSlot('/books', priority, at(ms)));
}

describe('a budget of reads', () => {
  it('lets readers go at once, then one after the other, and refuses those that would wait for too long', () => {
    const answers = crowd(open(), 'display', 1000);
    const granted = answers.filter(({ isGranted }) => isGranted);
    expect(granted.filter(({ waitMs }) => waitMs === 0)).toHaveLength(50);
    expect(granted.map(({ waitMs }) => waitMs)).toEqual(granted.map(({ waitMs }) => waitMs).toSorted((a, b) => a - b));
    expect(granted.at(-1)?.waitMs).toBe(2000);
    expect(answers.find(({ isGranted }) => !isGranted)?.waitMs).toBe(2025);
  });

  it('never lets trading wait for other callers', () => {
    const budget = open();
    crowd(budget, 'display', 1000);
    crowd(budget, 'following', 1000);
    expect(new Set(crowd(budget, 'trading', 1000).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ isGranted: true, waitMs: 0 })]),
    );
  });

  it('lets those who look wait for what trading has read, and no longer than until that is forgotten', () => {
    const budget = open();
    crowd(budget, 'trading', 100);
    expect(crowd(budget, 'display', 1)).toEqual([{ isGranted: true, waitMs: 1275 }]);
    expect(crowd(budget, 'display', 1, WINDOW_MS)).toEqual([{ isGranted: true, waitMs: 0 }]);
  });

  it('lets prices be followed behind a crowd that looks', () => {
    const budget = open();
    crowd(budget, 'display', 1000);
    expect(crowd(budget, 'following', 1)).toEqual([{ isGranted: true, waitMs: 2025 }]);
  });

  it('counts each kind by itself, and none that has no limit', () => {
    const budget = open();
    crowd(budget, 'display', 1000);
    expect(budget.takeSlot('/time', 'display', at(0))).toEqual({ isGranted: true, waitMs: 0 });
  });

  it('stays within the limit in any window, with what is left for trading, however calls come', () => {
    const calls = fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 300 }),
        count: fc.integer({ min: 1, max: 80 }),
        priority: fc.constantFrom<ReadPriority>('display', 'following'),
      }),
      { minLength: 50, maxLength: 150 },
    );
    const holds = fc.property(calls, (given) => {
      const budget = open();
      const leftAt: number[] = [];
      let ms = 0;
      for (const { afterMs, count, priority } of given) {
        ms += afterMs;
        for (const { isGranted, waitMs } of crowd(budget, priority, count, ms)) if (isGranted) leftAt.push(ms + waitMs);
      }
      leftAt.sort((a, b) => a - b);
      for (const [nth, until] of leftAt.entries()) {
        const first = leftAt.findIndex((moment) => moment > until - WINDOW_MS);
        expect(nth - first + 1).toBeLessThanOrEqual(LIMIT * 0.9 + 1);
      }
    });
    fc.assert(holds, { numRuns: 30 });
  });
});
