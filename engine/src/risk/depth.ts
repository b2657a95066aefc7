import { sharesToNumber, sharesToText, subtractShares } from '@dutchbook/units/shares.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/** The books hold the whole size of every position. */
export function depthGate({ plan }: GateContext): Blocker | null {
  return firstOf(
    plan.shortOf.map(({ leg, missing }) => ({
      gate: 'depth',
      message: `leg ${leg} is short of ${sharesToText(missing)} shares`,
      actual: sharesToNumber(subtractShares(plan.size, missing)),
      required: sharesToNumber(plan.size),
    })),
  );
}
