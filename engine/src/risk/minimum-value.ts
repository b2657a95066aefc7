import { usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf, tellApart } from './wording.ts';

/** Every order is worth MIN_ORDER_VALUE_USD. An order cut short by the book is the depth gate's to refuse. */
export function minimumValueGate({ plan, settings }: GateContext): Blocker | null {
  const { minOrderValue } = settings;
  const tooSmall = plan.orders.filter(({ size, cost }) => size === plan.size && cost < minOrderValue);
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
