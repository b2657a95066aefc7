import type { Instant } from '@dutchbook/units/instant.ts';
import { type AttemptStatus, awaitsOutcome } from '../order/life.ts';
import { type BatchStatus, isActive } from './life.ts';

/** `readAt`: when the venue's word on it was last recorded. */
type ReconciledAttempt = { status: AttemptStatus; isOrderFinal: boolean; readAt: Instant };

export type ReconciledInput = { status: BatchStatus; saleUnderWay: boolean; attempts: readonly ReconciledAttempt[] };

/** Whether no outcome of a batch is unknown: all that was sent is answered for, and what stands was read since then. */
export function isReconciled({ status, saleUnderWay, attempts }: ReconciledInput, since: Instant): boolean {
  if (!isActive(status) && !saleUnderWay) return true;
  return attempts
    .filter((attempt) => !attempt.isOrderFinal && attempt.status !== 'rejected' && attempt.status !== 'failed')
    .every((attempt) => attempt.status !== 'prepared' && !awaitsOutcome(attempt.status) && attempt.readAt >= since);
}
