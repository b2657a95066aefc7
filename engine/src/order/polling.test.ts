import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import type { Settlement } from './fill.ts';
import type { AttemptStatus } from './life.ts';
import { followUpsDue, nextPollAt, type Polls } from './polling.ts';

const NOW = instantFromMs(100_000);
const never: Polls = { polledAt: null, pollCount: 0, notified: false };
const asked = (msAgo: number, pollCount: number): Polls => ({
  polledAt: instantFromMs(NOW - msAgo),
  pollCount,
  notified: false,
});

describe('the next poll of an attempt', () => {
  it('is due at once where it was never asked about', () => {
    expect(nextPollAt({ status: 'open', ...never })).toBe(0);
  });

  it.each<[AttemptStatus, number, number]>([
    ['sent', 1, 500],
    ['sent', 2, 1000],
    ['unknown', 40, 5000],
    ['open', 1, 300],
    ['canceled', 3, 1200],
    ['matched', 40, 2000],
  ])('of one that is %s, asked about %i times, comes after %i ms', (status, pollCount, pauseMs) => {
    expect(nextPollAt({ status, ...asked(0, pollCount) })).toBe(NOW + pauseMs);
  });
});

describe('what is read of a batch that has ended', () => {
  const due = (status: AttemptStatus, polls: Polls, settlement: Settlement | null = null) =>
    followUpsDue([{ id: 'a', status, ...polls }], settlement === null ? [] : [{ attemptId: 'a', settlement }], NOW)
      .length > 0;

  it.each<[Settlement, boolean]>([
    ['matched', true],
    ['retrying', true],
    ['mined', true],
    ['confirmed', false],
    ['failed', false],
  ])('is an attempt with a trade that is %s: %s', (settlement, isDue) => {
    expect(due('matched', never, settlement)).toBe(isDue);
  });

  it.each<[AttemptStatus, boolean]>([
    ['open', true],
    ['delayed', true],
    ['rejected', false],
    ['failed', false],
    ['canceled', false],
    ['matched', false],
  ])('is an attempt that is %s: %s', (status, isDue) => {
    expect(due(status, never)).toBe(isDue);
  });

  it('is at once for what was reported, whatever its state', () => {
    expect(due('failed', { ...asked(0, 9), notified: true })).toBe(true);
  });

  it('is read ever more slowly, at most every 15 seconds', () => {
    expect([due('open', asked(999, 1)), due('open', asked(1000, 1))]).toEqual([false, true]);
    expect([due('open', asked(14_999, 40)), due('open', asked(15_000, 40))]).toEqual([false, true]);
  });

  it('is only the attempt whose trade it is', () => {
    const attempts = ['a', 'b'].map((id) => ({ id, status: 'matched' as const, ...never }));
    expect(followUpsDue(attempts, [{ attemptId: 'b', settlement: 'mined' }], NOW)).toEqual(['b']);
  });
});
