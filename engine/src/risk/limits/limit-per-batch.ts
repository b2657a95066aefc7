import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { limitRefusal } from '../wording.ts';

/** All orders together, over all attempts of the batch, cannot take more than the limit per batch. */
export function limitPerBatchGate({ plan, spentBefore, limits, limitsRequired }: LimitContext): Blocker | null {
  return limitRefusal({
    gate: 'limit-per-batch',
    name: 'limit per batch',
    limit: limits.perBatch,
    required: limitsRequired,
    amount: spentBefore.reduce((sum, { spent }) => addUsd(sum, spent), plan.totalReserve),
    what: 'the batch takes up to',
  });
}
