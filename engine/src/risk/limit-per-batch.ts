import type { Blocker, LimitContext } from './context.ts';
import { limitRefusal } from './wording.ts';

/** All orders together cannot take more than the limit per batch. */
export function limitPerBatchGate({ plan, limits, limitsRequired }: LimitContext): Blocker | null {
  return limitRefusal({
    gate: 'limit-per-batch',
    name: 'limit per batch',
    limit: limits.perBatch,
    required: limitsRequired,
    amount: plan.totalReserve,
    what: 'the batch takes up to',
  });
}
