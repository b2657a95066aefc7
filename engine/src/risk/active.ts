import type { Blocker, GateContext } from './context.ts';

/** Only an active opportunity is bought. */
export function activeGate({ active }: GateContext): Blocker | null {
  return active ? null : { gate: 'active', message: 'the opportunity is not active', actual: null, required: null };
}
