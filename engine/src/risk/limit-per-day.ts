import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { aboveLimit } from './wording.ts';

/** With this batch, what was placed today stays within the limit per day. */
export function limitPerDayGate({ plan, placedToday, limits }: GateContext): Blocker | null {
  const placed = addUsd(placedToday, plan.totalReserve);
  return aboveLimit('limit-per-day', 'with this batch today comes to', placed, limits.perDay);
}
