import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { askLimits } from './ask-limits.ts';

/** All orders together, over all attempts of the batch, cannot take more than the limit per batch. */
export function limitPerBatchGate(context: LimitContext): Blocker | null {
  return askLimits(context, {
    gate: 'limit-per-batch',
    name: 'limit per batch',
    limit: 'perBatch',
    amountOf: ({ spentBefore, reserve }) => ({
      amount: spentBefore.reduce((sum, { spent }) => addUsd(sum, spent), reserve),
      what: 'the batch takes up to',
    }),
  });
}
