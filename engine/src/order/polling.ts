/** When the venue is polled about an attempt again: at once the first time, then ever more slowly. */
import { type BackOff, backOffMs } from '@dutchbook/units/back-off.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Fill } from './fill.ts';
import { type AttemptStatus, awaitsOutcome } from './life.ts';

/** A process's memory of the polls of one attempt. */
export type Polls = {
  /** Null where the venue was never asked about it. */
  polledAt: Instant | null;
  pollCount: number;
  /** The venue's stream has reported it since. */
  notified: boolean;
};

const OUTCOME: BackOff = { firstMs: 250, slowestMs: 5000 };
const READING: BackOff = { firstMs: 150, slowestMs: 2000 };
const SETTLEMENT: BackOff = { firstMs: 500, slowestMs: 15_000 };

/** When to poll an attempt of a running batch; `waits`: its order may rest for days. */
export function nextPollAt({
  status,
  waits = false,
  ...polls
}: Polls & { status: AttemptStatus; waits?: boolean }): Instant {
  if (awaitsOutcome(status)) return pollAt(polls, OUTCOME);
  return pollAt(polls, waits && status === 'open' ? SETTLEMENT : READING);
}

/**
 * The attempts of a batch that has ended which are to be read now: those that the stream reported, and from time to time
 * those of which a trade has not settled or which stand at the venue after all.
 */
export function followUpsDue(
  attempts: readonly (Polls & { id: string; status: AttemptStatus })[],
  fills: readonly Pick<Fill, 'attemptId' | 'settlement'>[],
  now: Instant,
): string[] {
  const unsettled = fills.filter(({ settlement }) => settlement !== 'confirmed' && settlement !== 'failed');
  const expected = new Set(unsettled.map(({ attemptId }) => attemptId));
  return attempts
    .filter((attempt) => {
      const { id, status, notified } = attempt;
      if (notified) return true;
      const isExpected = expected.has(id) || status === 'open' || status === 'delayed';
      return isExpected && pollAt(attempt, SETTLEMENT) <= now;
    })
    .map(({ id }) => id);
}

function pollAt({ polledAt, pollCount }: Pick<Polls, 'polledAt' | 'pollCount'>, pace: BackOff): Instant {
  return polledAt === null ? AT_ONCE : ((polledAt + backOffMs(pollCount, pace)) as Instant);
}

const AT_ONCE = 0 as Instant;
