import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { type EndedBatch, isJudgedAgain, isRetriedAlone, isRetryDue, retriedSince, retryPauseMs } from './retry.ts';

const ENDED = instantFromMs(1_000_000);
const after = (ms: number) => instantFromMs(ENDED + ms);

describe('an automatic retry', () => {
  it('comes after ever longer pauses, at most ten minutes', () => {
    expect([0, 1, 2, 3, 4, 99].map(retryPauseMs)).toEqual([5000, 20_000, 80_000, 320_000, 600_000, 600_000]);
  });

  it('is due from the end of its pause, and left to a person a minute later', () => {
    const due = (ms: number) => isRetryDue({ endedAt: ENDED, retryCount: 1 }, after(ms));
    expect([due(19_999), due(20_000), due(80_000), due(80_001)]).toEqual([false, true, true, false]);
  });

  it('is of a batch that ended without being completed, once its pause is over and before its deadline', () => {
    const inputs: EndedBatch = {
      status: 'partial_completed',
      retryCount: 0,
      maxRetries: 3,
      opportunityExists: true,
      saleUnderWay: false,
      spent: null,
      endedAt: ENDED,
      deadline: after(100_000),
      cancelRequested: false,
      augmentedEvent: false,
    };
    const isRetried = (ms: number, changed: Partial<EndedBatch> = {}) =>
      isRetriedAlone({ ...inputs, ...changed }, after(ms));
    expect([4999, 5000, 99_999, 100_000].map((ms) => isRetried(ms))).toEqual([false, true, true, false]);
    expect([79_999, 80_000].map((ms) => isRetried(ms, { retryCount: 2 }))).toEqual([false, true]);
    const others: [Partial<EndedBatch>, boolean][] = [
      [{ endedAt: null }, false],
      [{ cancelRequested: true }, false],
      [{ status: 'completed' }, false],
      [{ retryCount: 3 }, false],
      [{ opportunityExists: false }, false],
      [{ spent: 'sold' as const }, false],
      [{ spent: 'resolved' as const }, false],
      [{ augmentedEvent: true }, true],
      [{ status: 'failed' }, true],
      [{ status: 'failed', augmentedEvent: true }, false],
    ];
    for (const [changed, expected] of others) expect([changed, isRetried(5000, changed)]).toEqual([changed, expected]);
  });

  it('that did not pay is judged again when prices have moved, at most every five seconds', () => {
    const again = (ms: number, moved: boolean) => isJudgedAgain({ judgedAt: ENDED, times: 1 }, after(ms), () => moved);
    expect([again(4999, true), again(5000, true), again(5000, false)]).toEqual([false, true, false]);
  });

  it('that did not pay is judged again after a pause that grows, also where prices stand still', () => {
    const again = (ms: number, times: number) => isJudgedAgain({ judgedAt: ENDED, times }, after(ms), () => false);
    expect([again(19_999, 1), again(20_000, 1), again(20_000, 2), again(80_000, 2)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('is not looked for of what ended before the longest pause and a minute', () => {
    expect(retriedSince(ENDED)).toBe(ENDED - 660_000);
  });
});
