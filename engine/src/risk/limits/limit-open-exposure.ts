import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { limitRefusal } from '../wording.ts';

/** With this batch, what is at risk over all opportunities stays within the limit on open exposure. */
export function limitOpenExposureGate({ plan, openExposure, limits, limitsRequired }: LimitContext): Blocker | null {
  return limitRefusal({
    gate: 'limit-open-exposure',
    name: 'limit on open exposure',
    limit: limits.openExposure,
    required: limitsRequired,
    amount: addUsd(openExposure, plan.totalReserve),
    what: 'with this batch open exposure is',
  });
}
