import { usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf, tellApart } from './wording.ts';

/** Every order is worth MIN_ORDER_VALUE_USD; what completes sets may be less. An order cut short by the book is the depth gate's to refuse. */
export function minimumValueGate({ plan, completes, settings }: GateContext): Blocker | null {
  if (completes) return null;
  const { minOrderValue } = settings;
  const isShort = (order: (typeof plan.orders)[number]) =>
    plan.shortOf.some(({ leg, marketId, outcome }) => {
      return leg === order.leg && marketId === order.marketId && outcome === order.outcome;
    });
  const tooSmall = plan.orders.filter((order) => order.cost < minOrderValue && !isShort(order));
  return firstOf(
    tooSmall.map(({ leg, cost }) => {
      const [worth, needs] = tellApart(cost, minOrderValue);
      return {
        gate: 'minimum-value',
        message: `leg ${leg} is worth $${worth}, needs $${needs}`,
        actual: usdToNumber(cost),
        required: usdToNumber(minOrderValue),
      };
    }),
  );
}
