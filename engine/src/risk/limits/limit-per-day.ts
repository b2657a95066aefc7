import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { limitRefusal } from '../wording.ts';

/** With this batch, what was placed today stays within the limit per day. */
export function limitPerDayGate({ plan, placedToday, limits, limitsRequired }: LimitContext): Blocker | null {
  return limitRefusal({
    gate: 'limit-per-day',
    name: 'limit per day',
    limit: limits.perDay,
    required: limitsRequired,
    amount: addUsd(placedToday, plan.totalReserve),
    what: 'with this batch today is',
  });
}
