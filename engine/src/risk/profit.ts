import { type Percent, percentToNumber } from '@dutchbook/units/percent.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/**
 * The net profit must be above zero and reach the floor, both at the price of one set and for the size that would be
 * bought, which may reach deeper into the books. An opportunity without a price is refused with the reason.
 */
export function profitGate({ value, plan, profitFloorPct }: GateContext): Blocker | null {
  const required = profitFloorPct ?? (0 as Percent);
  if (value.kind === 'unpriced') {
    return { gate: 'profit', message: value.reason, actual: null, required: percentToNumber(required) };
  }
  const ofPlan = plan.shortOf.length === 0 ? plan.expectedProfitPct : null;
  const actual = ofPlan === null || value.profitPct < ofPlan ? value.profitPct : ofPlan;
  if (actual > 0 && actual >= required) return null;
  const [has, needs] = tellApart(actual, required);
  return {
    gate: 'profit',
    message: `net ${has} %, needs ${required > 0 ? needs : `more than ${needs}`} %`,
    actual: percentToNumber(actual),
    required: percentToNumber(required),
  };
}
