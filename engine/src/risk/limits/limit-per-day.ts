import { addUsd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from '../context.ts';
import { askLimits } from './ask-limits.ts';

/** With this batch, what was placed today stays within the limit per day. */
export function limitPerDayGate(context: LimitContext): Blocker | null {
  return askLimits(context, {
    gate: 'limit-per-day',
    name: 'limit per day',
    limit: 'perDay',
    amountOf: ({ placedToday, reserve }) => ({
      amount: addUsd(placedToday, reserve),
      what: 'with this batch today is',
    }),
  });
}
