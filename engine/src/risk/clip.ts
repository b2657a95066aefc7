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
  return {
    gate: 'clip',
    message: `${orderOf(context)} takes more than CLIP_USD allows (${figuresOf(context, 'CLIP_USD', plan.totalReserve, clipLimits.clip)})`,
    actual: usdToNumber(plan.totalReserve),
    required: usdToNumber(clipLimits.clip),
  };
}

/** Bounds the loss if all legs but the cheapest fill and pay nothing; a leg that fills alone never loses more. */
export function lossAllowanceGate(context: ClipContext): Blocker | null {
  const { plan, clipLimits } = context;
  if (clipLimits === undefined || plan.worstCaseLoss <= clipLimits.lossAllowance) return null;
  const figures = figuresOf(context, 'LOSS_ALLOWANCE_USD', plan.worstCaseLoss, clipLimits.lossAllowance);
  return {
    gate: 'loss-allowance',
    message: `${orderOf(context)} could lose more than LOSS_ALLOWANCE_USD allows if it fills in part (${figures})`,
    actual: usdToNumber(plan.worstCaseLoss),
    required: usdToNumber(clipLimits.lossAllowance),
  };
}

/** How much it is, of what size, what is allowed, and what to set that to: the least in whole cents that allows it. */
function figuresOf(
  context: ClipContext,
  setting: 'CLIP_USD' | 'LOSS_ALLOWANCE_USD',
  needed: Usd,
  allowed: Usd,
): string {
  const enough = `$${(Math.ceil(needed / MICRO_PER_CENT) / 100).toFixed(2)}`;
  const [, limit] = tellApart(needed, allowed);
  return `up to ${enough}${whyOf(context)}; ${setting} is $${limit}: set it to ${enough} or more in System Settings`;
}

/** The report groups by the words before the bracket, so they contain no figures. */
function orderOf(context: ClipContext): string {
  return isSmallest(context) ? 'even the smallest order' : 'the order';
}

function isSmallest({ plan: { size }, quotes, settings }: ClipContext): boolean {
  return size <= smallestOrder(quotes, settings).size;
}

/** Explains the smallest order: a cheap leg needs many shares to reach the minimum. */
function whyOf(context: ClipContext): string {
  if (!isSmallest(context)) return '';
  const { leg, rule } = smallestOrder(context.quotes, context.settings);
  const shares = ` for ${formatShares(context.plan.size)} shares`;
  if (leg === null) return `${shares}, the least by MIN_ORDER_SHARES`;
  const why =
    rule === 'market'
      ? `the market of leg ${leg} takes no fewer`
      : `fewer of leg ${leg} are worth less than MIN_ORDER_VALUE_USD`;
  return `${shares}, as ${why}`;
}
