import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';

/**
 * The clock, at most a few milliseconds ahead where much happens within one: what was recorded and what was decided keep their order by
 * their instants alone, also of the same millisecond. A decision has seen the changes before its moment, and none from then on.
 */
export type OrderedInstants = { ofChange: () => Instant; ofDecision: () => Instant };

export function orderInstants(clock: Clock): OrderedInstants {
  let lastChange = Number.NEGATIVE_INFINITY;
  let lastDecision = Number.NEGATIVE_INFINITY;
  return {
    ofChange: () => {
      const at = instantFromMs(Math.max(clock.now(), lastDecision));
      lastChange = Math.max(lastChange, at);
      return at;
    },
    ofDecision: () => {
      const at = instantFromMs(Math.max(clock.now(), lastChange + 1));
      lastDecision = Math.max(lastDecision, at);
      return at;
    },
  };
}
