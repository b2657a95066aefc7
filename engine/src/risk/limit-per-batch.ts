import type { Blocker, GateContext } from './context.ts';
import { aboveLimit } from './wording.ts';

/** All orders together cannot take more than the limit per batch. */
export function limitPerBatchGate({ plan, limits }: GateContext): Blocker | null {
  return aboveLimit('limit-per-batch', 'the batch takes up to', plan.totalReserve, limits.perBatch);
}
