import {
  DEPTH_LEVELS_MAX,
  type Depth,
  type DepthLevel,
  type ExpectedDepth,
  type PositionDepth,
  type ProfitPoint,
} from '@dutchbook/contract/valuation.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import { runningTotals } from '@dutchbook/engine/book/walk.ts';
import { profitCurve } from '@dutchbook/engine/opportunity/curve.ts';
import { netProfitPct, type PricingSettings } from '@dutchbook/engine/opportunity/value.ts';
import { planPlacement } from '@dutchbook/engine/order/plan.ts';
import {
  type MeasuredSurvival,
  SURVIVAL_SAMPLES_MIN,
  type Survival,
  survivalOfPlan,
} from '@dutchbook/engine/order/survival.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import { presentQuotes } from './present.ts';

/** The books of a set that pays `targetPrice`, and what buying more and more of it leaves. */
export function depthOf(
  quotes: readonly LiveQuote[],
  targetPrice: Price,
  pricing: PricingSettings,
  measured: MeasuredSurvival,
): Omit<Depth, 'order_size' | 'chosen_size'> {
  const { max_profitable_size } = presentQuotes(quotes, targetPrice, pricing);
  const isShown = max_profitable_size !== null && max_profitable_size > 0;
  const plan = isShown ? planPlacement(quotes, max_profitable_size, targetPrice) : null;
  return {
    positions: quotes.map(presentBook),
    curve: profitCurve(quotes, targetPrice).map(presentPoint),
    max_profitable_size,
    survival: plan === null ? null : presentSurvival(plan.size, survivalOfPlan(measured, quotes, plan)),
  };
}

export function presentSurvival(shown: Shares, { share, samples }: Survival): ExpectedDepth {
  return {
    expected_size: share === null ? null : (mulDiv(shown, share, FRACTION_ONE, 'down') as Shares),
    orders_like_it: samples,
    orders_needed: SURVIVAL_SAMPLES_MIN,
  };
}

function presentBook({ leg, marketId, outcome, book }: LiveQuote): PositionDepth {
  const { bids, asks } = book ?? { bids: [], asks: [] };
  return { leg, market_id: marketId, outcome, bids: presentLevels(bids), asks: presentLevels(asks) };
}

function presentLevels(levels: readonly Level[]): DepthLevel[] {
  const shown = levels.slice(0, DEPTH_LEVELS_MAX);
  const totals = runningTotals(shown);
  return shown.map(({ price, size }, index) => ({ price, size, total: totals[index] ?? USD_ZERO }));
}

function presentPoint({ size, cost, fees, profit }: ReturnType<typeof profitCurve>[number]): ProfitPoint {
  const paid = addUsd(cost, fees);
  const profitPct = paid > 0 ? netProfitPct((paid + profit) as Price, paid) : PERCENT_ZERO;
  return { size, cost, fees, profit, profit_percentage: profitPct };
}
