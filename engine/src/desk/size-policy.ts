/** How large an order of the product's own is, by the policy of the superusers and the gates that it has to pass. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { profitForReturn } from '../opportunity/return-on-time.ts';
import { type ChosenSize, chooseSize, type SizeBound } from '../order/choose-size.ts';
import { defaultOrderSize, type PlacementPlan, planPlacement } from '../order/plan.ts';
import { allowanceGate } from '../risk/allowance.ts';
import { balanceGate } from '../risk/balance.ts';
import { clipGate, lossAllowanceGate } from '../risk/clip.ts';
import type { ClipLimits, Gate, GateContext } from '../risk/context.ts';
import { limitOpenExposureGate } from '../risk/limits/limit-open-exposure.ts';
import { limitPerBatchGate } from '../risk/limits/limit-per-batch.ts';
import { limitPerDayGate } from '../risk/limits/limit-per-day.ts';
import { limitPerOrderGate } from '../risk/limits/limit-per-order.ts';
import { priceBandGate } from '../risk/price-band.ts';
import { signOffGate } from '../risk/sign-off.ts';

/**
 * SIZE_POLICY. `up_to`: as large as pays, within the clip's limits. `best`: of the depth that is shown, only the part that is expected to
 * be met counts. `clipsMax`: CLIPS_MAX.
 */
export type SizePolicy = { kind: 'smallest' | 'up_to' | 'best'; clipsMax: number } & ClipLimits;

/** The gates that a smaller order may pass where a larger one does not. */
const BOUNDS: readonly (readonly [SizeBound, Gate])[] = [
  ['price band', priceBandGate],
  ['clip', clipGate],
  ['loss allowance', lossAllowanceGate],
  ['cash', balanceGate],
  ['approval', allowanceGate],
  ['order limit', limitPerOrderGate],
  ['batch limit', limitPerBatchGate],
  ['day limit', limitPerDayGate],
  ['exposure', limitOpenExposureGate],
  ['sign-off', signOffGate],
];

export type SizeTerms = {
  targetPrice: Price;
  policy: SizePolicy;
  /** MIN_PROFIT_TRIGGER_THRESHOLD */
  triggerPct: Percent;
  /** The part of the depth that a plan is expected to meet; null where that was not measured. */
  survivalOf: (plan: PlacementPlan) => Fraction | null;
};

/** What the policy chooses for an order that `context` judges. */
export function sizeByPolicy(
  context: Omit<GateContext, 'plan' | 'clipLimits'>,
  { targetPrice, policy, triggerPct, survivalOf }: SizeTerms,
): ChosenSize {
  const { quotes, settings } = context;
  const smallest = defaultOrderSize(quotes, settings);
  if (policy.kind === 'smallest') return smallestAllowed(context, smallest, targetPrice);
  const { clip, lossAllowance } = policy;
  const judged = { ...context, clipLimits: { clip, lossAllowance } };
  return chooseSize({
    quotes,
    targetPrice,
    smallest,
    leastProfitPct: leastProfit(triggerPct, context),
    bounds: BOUNDS.map(([name, gate]) => ({ name, refusal: (plan) => gate({ ...judged, plan }) })),
    survivalOf: policy.kind === 'best' ? survivalOf : () => null,
  });
}

/** The limits of a clip bound no order of the smallest size. */
function smallestAllowed(
  context: Parameters<typeof sizeByPolicy>[0],
  size: Shares,
  targetPrice: Price,
): ReturnType<typeof sizeByPolicy> {
  const plan = planPlacement(context.quotes, size, targetPrice);
  const [refused] = BOUNDS.find(([, gate]) => gate({ ...context, plan }) !== null) ?? [];
  const boundedBy = plan.shortOf.length > 0 ? 'depth' : refused;
  return { size, boundedBy: boundedBy ?? 'minimum', isAllowed: boundedBy === undefined, pays: null };
}

/** Every set has to make the return that is asked of the whole order; where none is asked, that is a profit of nothing. */
function leastProfit(
  triggerPct: Percent,
  { settings: { minAnnualised }, untilCashMs }: Pick<GateContext, 'settings' | 'untilCashMs'>,
): Percent {
  return Math.max(triggerPct, profitForReturn(minAnnualised, untilCashMs ?? 0)) as Percent;
}
