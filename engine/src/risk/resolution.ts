import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/**
 * No market waits for its answer to become final. Its price is what traders believe of that answer, and its dollars come when a
 * dispute has ended, so that only a person buys it.
 */
export function resolutionGate({ quotes }: Pick<GateContext, 'quotes'>): Blocker | null {
  return firstOf(
    quotes.flatMap(({ leg, market }): Blocker[] => {
      if (!market?.resolution) return [];
      const message = `leg ${leg}: the resolution of "${market.question}" is ${market.resolution}`;
      return [{ gate: 'resolution', message, actual: null, required: null }];
    }),
  );
}
