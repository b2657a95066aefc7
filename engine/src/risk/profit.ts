import { type Percent, percentToNumber } from '@dutchbook/units/percent.ts';
import { annualisedPct, profitForReturn } from '../opportunity/return-on-time.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/**
 * The net profit must be above zero and reach the floor, both at the price of one set and for the size that would be
 * bought, which may reach deeper into the books. An opportunity without a price is refused with the reason.
 */
export function profitGate({ value, plan, profitFloorPct, mayLose = false }: GateContext): Blocker | null {
  const required = profitFloorPct ?? (0 as Percent);
  if (value.kind === 'unpriced') {
    return { gate: 'profit', message: value.reason, actual: null, required: percentToNumber(required) };
  }
  if (mayLose) return null;
  const actual = netProfitOf(value, plan);
  if (actual > 0 && actual >= required) return null;
  const [has, needs] = tellApart(actual, required);
  return {
    gate: 'profit',
    message: `net ${has}%, needs ${required > 0 ? needs : `more than ${needs}`}%`,
    actual: percentToNumber(actual),
    required: percentToNumber(required),
  };
}

/**
 * The profit over what is bound, times 365 over the days until it is cash, reaches MIN_ANNUALISED_RETURN. What is not known to come back
 * at some time makes no return that is known; what completes sets that are half bought frees what they bind.
 */
export function returnOnTimeGate({ value, plan, completes, untilCashMs, settings }: GateContext): Blocker | null {
  const { minAnnualised } = settings;
  if (minAnnualised <= 0 || completes || value.kind === 'unpriced') return null;
  const required = percentToNumber(minAnnualised);
  const profit = netProfitOf(value, plan);
  const actual = annualisedPct(profit, untilCashMs);
  if (actual === null || untilCashMs === null)
    return {
      gate: 'return-on-time',
      message: `when the cash is back is not known, MIN_ANNUALISED_RETURN is ${required}%`,
      actual: null,
      required,
    };
  if (profit >= profitForReturn(minAnnualised, untilCashMs)) return null;
  const [has, needs] = tellApart(actual, minAnnualised);
  const days = (untilCashMs / 86_400_000).toFixed(1);
  return {
    gate: 'return-on-time',
    message: `net ${has}% a year, as the cash is back in ${days} days, MIN_ANNUALISED_RETURN is ${needs}%`,
    actual: percentToNumber(actual),
    required,
  };
}

/** The lower of what one set makes and what the size that would be bought does. */
function netProfitOf(
  { profitPct }: Extract<GateContext['value'], { kind: 'valued' }>,
  { shortOf, expectedProfitPct }: GateContext['plan'],
): Percent {
  const ofPlan = shortOf.length === 0 ? expectedProfitPct : null;
  return ofPlan === null || profitPct < ofPlan ? profitPct : ofPlan;
}
