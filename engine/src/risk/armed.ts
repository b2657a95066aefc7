import type { Blocker, GateContext } from './context.ts';

/** Trading is armed; nothing is placed while it is not, by hand or automatically. */
export function armedGate({ armed }: GateContext): Blocker | null {
  return armed ? null : { gate: 'armed', message: 'trading is disarmed', actual: null, required: null };
}
