import { formatShares } from '@dutchbook/units/shares.ts';
import { type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { smallestOrder } from '../order/plan.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

const MICRO_PER_CENT = 10_000;

type ClipContext = Pick<GateContext, 'plan' | 'clipLimits' | 'quotes' | 'settings'>;

/** An order whose size the product chooses takes no more than CLIP_USD. */
export function clipGate(context: ClipContext): Blocker | null {
  const { plan, clipLimits } = context;
  if (clipLimits === undefined || plan.totalReserve <= clipLimits.clip) return null;
  const [actual, allowed] = tellApart(plan.totalReserve, clipLimits.clip);
  return {
    gate: 'clip',
    message: `${clipOf(context)} takes up to $${actual}, CLIP_USD is $${allowed}${enoughWords(plan.totalReserve)}`,
    actual: usdToNumber(plan.totalReserve),
    required: usdToNumber(clipLimits.clip),
  };
}

/** What its legs lose if all but the cheapest fill and pay nothing, which is no less than what one that fills alone loses. */
export function lossAllowanceGate(context: ClipContext): Blocker | null {
  const { plan, clipLimits } = context;
  if (clipLimits === undefined || plan.worstCaseLoss <= clipLimits.lossAllowance) return null;
  const [actual, allowed] = tellApart(plan.worstCaseLoss, clipLimits.lossAllowance);
  return {
    gate: 'loss-allowance',
    message: `${clipOf(context)} could lose $${actual} on unequal legs, LOSS_ALLOWANCE_USD is $${allowed}${enoughWords(plan.worstCaseLoss)}`,
    actual: usdToNumber(plan.worstCaseLoss),
    required: usdToNumber(clipLimits.lossAllowance),
  };
}

/** The least setting in whole cents that would allow it. */
function enoughWords(needed: Usd): string {
  const cents = Math.ceil(needed / MICRO_PER_CENT);
  return `; $${(cents / 100).toFixed(2)} would allow it`;
}

/** With what makes it no smaller, where it is the smallest: a cheap leg needs many shares to be worth an order. */
function clipOf({ plan: { size }, quotes, settings }: ClipContext): string {
  const smallest = smallestOrder(quotes, settings);
  if (size > smallest.size) return 'a clip';
  const shares = `the smallest clip, ${formatShares(size)} shares`;
  if (smallest.leg === null) return `${shares} by MIN_ORDER_SHARES,`;
  const rule = smallest.rule === 'market' ? 'its market takes no fewer' : 'fewer are not worth MIN_ORDER_VALUE_USD';
  return `${shares} because of leg ${smallest.leg}, of which ${rule},`;
}
