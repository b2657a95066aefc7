import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { askLimits } from './ask-limits.ts';

/** With this batch, what is at risk over all opportunities stays within the limit on open exposure. */
export function limitOpenExposureGate(context: LimitContext): Blocker | null {
  return askLimits(context, {
    gate: 'limit-open-exposure',
    name: 'limit on open exposure',
    limit: 'openExposure',
    amountOf: ({ openExposure, reserve }) => ({
      amount: addUsd(openExposure, reserve),
      what: 'with this batch open exposure is',
    }),
  });
}
