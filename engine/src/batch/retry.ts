/** When a batch that has ended without being completed is retried without being asked to. */
import { type BackOff, backOffMs } from '@dutchbook/units/back-off.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { canRetry, type SaleState } from './actions.ts';
import type { RetryInput } from './life.ts';

/** 5 s, 20 s, 80 s, ... */
const PAUSE: BackOff = { firstMs: 5000, slowestMs: 600_000, factor: 4 };
/** A retry that is later than this is left to a person. */
const LATE_MAX_MS = 60_000;
/** Prices that keep moving have a batch judged no more often than this. */
const JUDGE_AGAIN_MS = 5000;

/** How long the product waits after a batch has ended before it retries it by itself. */
export function retryPauseMs(retryCount: number): number {
  return backOffMs(retryCount, PAUSE);
}

/** `endedAt` is null while it is carried out; `deadline` is when what rests of it is canceled. */
export type EndedBatch = RetryInput &
  SaleState & { endedAt: Instant | null; deadline: Instant; cancelRequested: boolean; augmentedEvent: boolean };

/** Whether a batch is retried now without being asked to, if it pays, while that is on and trading is armed. */
export function isRetriedAlone(batch: EndedBatch, now: Instant): boolean {
  const { endedAt, deadline, status, cancelRequested, augmentedEvent } = batch;
  if (endedAt === null || cancelRequested || now >= deadline) return false;
  if (now < endedAt + retryPauseMs(batch.retryCount) || !canRetry(batch)) return false;
  // A new purchase of such a set is refused each time; what is half bought is completed.
  return status !== 'failed' || !augmentedEvent;
}

/** Whether a batch that has not been judged since it ended is judged now: its pause is over, and has not been for long. */
export function isRetryDue({ endedAt, retryCount }: { endedAt: Instant; retryCount: number }, now: Instant): boolean {
  const lateMs = now - endedAt - retryPauseMs(retryCount);
  return lateMs >= 0 && lateMs <= LATE_MAX_MS;
}

/** Whether one that was judged not to be worth retrying, `times` times and last at `judgedAt`, is judged once more. */
export function isJudgedAgain(
  { judgedAt, times }: { judgedAt: Instant; times: number },
  now: Instant,
  havePricesMoved: () => boolean,
): boolean {
  const waitedMs = now - judgedAt;
  if (waitedMs < JUDGE_AGAIN_MS) return false;
  return waitedMs >= retryPauseMs(times) || havePricesMoved();
}

/** Batches that ended before this are not retried automatically, unless they hold shares without the rest of their set. */
export function retriedSince(now: Instant): Instant {
  return (now - PAUSE.slowestMs - LATE_MAX_MS) as Instant;
}
