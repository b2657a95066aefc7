import type { Blocker, GateContext } from './context.ts';

/** An opportunity is bought once at a time. */
export function oneActiveBatchGate({ activeBatchId }: GateContext): Blocker | null {
  if (activeBatchId === null) return null;
  const message = `batch ${activeBatchId} of this opportunity is still active`;
  return { gate: 'one-active-batch', message, actual: null, required: null };
}
