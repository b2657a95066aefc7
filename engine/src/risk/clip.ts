import { usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

type ClipContext = Pick<GateContext, 'plan' | 'clipLimits'>;

/** An order whose size the product chooses takes no more than CLIP_USD. */
export function clipGate({ plan, clipLimits }: ClipContext): Blocker | null {
  if (clipLimits === undefined || plan.totalReserve <= clipLimits.clip) return null;
  const [actual, allowed] = tellApart(plan.totalReserve, clipLimits.clip);
  return {
    gate: 'clip',
    message: `a clip takes up to $${actual}, CLIP_USD is $${allowed}`,
    actual: usdToNumber(plan.totalReserve),
    required: usdToNumber(clipLimits.clip),
  };
}

/** What its legs lose if all but the cheapest fill and pay nothing, which is no less than what one that fills alone loses. */
export function lossAllowanceGate({ plan, clipLimits }: ClipContext): Blocker | null {
  if (clipLimits === undefined || plan.worstCaseLoss <= clipLimits.lossAllowance) return null;
  const [actual, allowed] = tellApart(plan.worstCaseLoss, clipLimits.lossAllowance);
  return {
    gate: 'loss-allowance',
    message: `a clip could lose $${actual} on unequal legs, LOSS_ALLOWANCE_USD is $${allowed}`,
    actual: usdToNumber(plan.worstCaseLoss),
    required: usdToNumber(clipLimits.lossAllowance),
  };
}
