import type { Usd } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { aboveLimit } from './wording.ts';

/** No order can take more than the limit per order. */
export function limitPerOrderGate({ plan, limits }: GateContext): Blocker | null {
  const dearest = Math.max(0, ...plan.orders.map(({ reserve }) => reserve)) as Usd;
  const leg = plan.orders.find(({ reserve }) => reserve === dearest)?.leg;
  return aboveLimit('limit-per-order', `the order of leg ${leg} takes up to`, dearest, limits.perOrder);
}
