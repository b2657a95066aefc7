import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/** The size is at least what each market takes as its smallest order. */
export function venueMinimumGate({ plan, quotes }: GateContext): Blocker | null {
  return firstOf(
    quotes.flatMap(({ leg, market }): Blocker[] => {
      if (market === undefined || plan.size >= market.minOrderSize) return [];
      const needed = `the venue takes no less than ${sharesToText(market.minOrderSize)}`;
      return [
        {
          gate: 'venue-minimum',
          message: `leg ${leg}: ${sharesToText(plan.size)} shares, ${needed}`,
          actual: sharesToNumber(plan.size),
          required: sharesToNumber(market.minOrderSize),
        },
      ];
    }),
  );
}
