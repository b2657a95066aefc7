import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ComparisonSlots } from './comparison.ts';

const AT_ONCE = 3;
const MS_MAX = 4000;

/** What takes `ms`; a socket that waits longer than `patienceMs` has had data again. */
type Comparison = { ms: number; patienceMs: number };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks for all at the same moment. Answers when each began, in ms from then, in the order in which they began. */
async function begun(comparisons: readonly Comparison[]): Promise<{ nth: number; at: number; end: number }[]> {
  const queue = new ComparisonSlots(AT_ONCE);
  const start = Date.now();
  const seen: { nth: number; at: number; end: number }[] = [];
  for (const [nth, { ms, patienceMs }] of comparisons.entries()) {
    const compare = () => {
      const at = Date.now() - start;
      seen.push({ nth, at, end: at + ms });
      return new Promise<void>((resolve) => setTimeout(resolve, ms));
    };
    void queue.take(() => Date.now() - start <= patienceMs, compare);
  }
  await vi.advanceTimersByTimeAsync(comparisons.length * (MS_MAX + 1000));
  return seen;
}

const comparisons = fc.array(
  fc.record({ ms: fc.integer({ min: 0, max: MS_MAX }), patienceMs: fc.integer({ min: 0, max: 20_000 }) }),
  { maxLength: 20 },
);

describe('the slots of comparisons', () => {
  it('come at once to as many as may be under way, and to the others in the order in which they asked', async () => {
    const seen = await begun(Array.from({ length: 8 }, () => ({ ms: 200, patienceMs: 60_000 })));
    expect(seen.map(({ nth }) => nth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(seen.map(({ at }) => at)).toEqual([0, 0, 0, 1000, 1000, 1000, 2000, 2000]);
  });

  it('are never more than that, neither under way nor begun within a second, and pass by who wants none any more', async () => {
    const all = fc.asyncProperty(comparisons, async (wanted) => {
      const seen = await begun(wanted);
      for (const { nth, at } of seen) {
        expect(seen.filter((other) => other.at <= at && other.end > at).length).toBeLessThanOrEqual(AT_ONCE);
        expect(seen.filter((other) => other.at <= at && other.at > at - 1000).length).toBeLessThanOrEqual(AT_ONCE);
        expect(at === 0 || at <= (wanted[nth]?.patienceMs ?? 0)).toBe(true);
      }
      const lasting = wanted.flatMap(({ patienceMs }, nth) => (patienceMs === 20_000 ? [nth] : []));
      const isSlow = wanted.length * MS_MAX > 20_000;
      if (!isSlow) expect(seen.map(({ nth }) => nth)).toEqual(expect.arrayContaining(lasting));
    });
    await fc.assert(all, { numRuns: 50 });
  });

  it('are not given after the end', async () => {
    const queue = new ComparisonSlots(1);
    const compare = vi.fn(async () => {});
    await queue.take(() => true, compare);
    const waiting = queue.take(() => true, compare);
    queue.close();
    await waiting;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(compare).toHaveBeenCalledTimes(1);
  });
});
