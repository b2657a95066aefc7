import type { Usd } from '@dutchbook/units/usd.ts';
import type { Blocker, LimitContext } from './context.ts';
import { limitRefusal } from './wording.ts';

/** No order can take more than the limit per order. */
export function limitPerOrderGate({ plan, limits, limitsRequired }: LimitContext): Blocker | null {
  const dearest = Math.max(0, ...plan.orders.map(({ reserve }) => reserve)) as Usd;
  const leg = plan.orders.find(({ reserve }) => reserve === dearest)?.leg;
  return limitRefusal({
    gate: 'limit-per-order',
    name: 'limit per order',
    limit: limits.perOrder,
    required: limitsRequired,
    amount: dearest,
    what: `the order of leg ${leg} takes up to`,
  });
}
