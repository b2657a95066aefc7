import type { Blocker, GateContext } from './context.ts';

/** An opportunity is bought once at a time. */
export function oneActiveBatchGate({ activeBatchId }: GateContext): Blocker | null {
  if (activeBatchId === null) return null;
  return {
    gate: 'one-active-batch',
    message: 'a batch of this opportunity is still active',
    actual: null,
    required: null,
  };
}
