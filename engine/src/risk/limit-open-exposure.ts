import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { aboveLimit } from './wording.ts';

/** With this batch, what is at risk over all opportunities stays within the limit on open exposure. */
export function limitOpenExposureGate({ plan, openExposure, limits }: GateContext): Blocker | null {
  const exposure = addUsd(openExposure, plan.totalReserve);
  return aboveLimit('limit-open-exposure', 'with this batch open exposure comes to', exposure, limits.openExposure);
}
