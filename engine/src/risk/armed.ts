import type { Blocker, GateContext } from './context.ts';
import { refusedByVenue } from './limits/touched.ts';

/** Trading is armed on every venue of the plan; nothing is placed while it is not, by hand or automatically. */
export function armedGate(context: GateContext): Blocker | null {
  return refusedByVenue(context, ({ account: { armed } }) =>
    armed ? null : { gate: 'armed', message: 'trading is disarmed', actual: null, required: null },
  );
}
