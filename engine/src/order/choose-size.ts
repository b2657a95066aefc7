/**
 * How many sets to buy at once. The best size leaves the most profit beyond the return that is asked of every dollar: its last set
 * still nets that return, and the set after it does not.
 */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import { totalSize } from '../book/walk.ts';
import { buyable, type Offered, slicesOfSet } from '../opportunity/curve.ts';
import { unroundedFeePerShare } from '../opportunity/fee.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import { coarsestStep, type PlacementPlan, planPlacement } from './plan.ts';

/** The limit that bounds a size from above; `minimum` bounds it from below. */
export type SizeBound =
  | 'margin'
  | 'depth'
  | 'minimum'
  | 'clip'
  | 'loss allowance'
  | 'price band'
  | 'cash'
  | 'approval'
  | 'order limit'
  | 'batch limit'
  | 'day limit'
  | 'exposure'
  | 'sign-off';

/** How far a plan is beyond a bound; null where the bound does not say so in figures. */
type Beyond = { actual: number | null; required: number | null };

/** A bound that a larger plan is never within where a smaller one is not. `refusal`: null of a plan that is within it. */
export type PlanBound = { name: SizeBound; refusal: (plan: PlacementPlan) => Beyond | null };

export type SizeQuestion = {
  quotes: readonly PositionQuote[];
  targetPrice: Price;
  /** The fewest shares that satisfy every minimum. */
  smallest: Shares;
  /** Net profit that the last set has to make, of what it costs with fees. */
  leastProfitPct: Percent;
  /** In the order in which they are named where several hold. */
  bounds: readonly PlanBound[];
  /** The fraction of the shown depth that orders are expected to meet, for a plan that takes all that pays; null where it was not measured. */
  survivalOf: (plan: PlacementPlan) => Fraction | null;
};

/**
 * `isAllowed` is false where not even the smallest size is within `boundedBy`; `size` is the smallest then. `pays`: the best size if
 * nothing but the margin and the books as they are shown bounded it, zero where no size makes the return that is asked for; null where the
 * smallest was asked for.
 */
export type ChosenSize = { size: Shares; boundedBy: SizeBound; isAllowed: boolean; pays: Shares | null };

export function chooseSize(question: SizeQuestion): ChosenSize {
  const { smallest, survivalOf } = question;
  const sizes = sizesOf(question);
  const least = Math.ceil(smallest / sizes.unit);
  const chosen = (count: number, boundedBy: SizeBound, isAllowed = true): ChosenSize => {
    return { size: (count * sizes.unit) as Shares, boundedBy, isAllowed, pays };
  };
  const best = sizes.bestUpTo(sizes.onOffer);
  const pays = (sizes.paysAt(best) ? best * sizes.unit : 0) as Shares;
  const survival = best === 0 ? null : survivalOf(sizes.planOf(best));
  const met = survival === null ? best : Math.floor((best * survival) / MICRO);
  const hindered = sizes.boundAt(best);
  const most = hindered === null ? best : sizes.mostAllowed(best);
  const count = sizes.bestUpTo(Math.min(most, met));
  if (count >= least) {
    if (met < most) return chosen(count, 'depth');
    if (hindered !== null) return chosen(count, sizes.boundAt(most + 1) ?? hindered);
    return chosen(count, best === sizes.onOffer ? 'depth' : 'margin');
  }
  const refused = sizes.boundAt(least);
  return refused === null ? chosen(least, 'minimum') : chosen(least, refused, false);
}

/** Sizes are counted in `unit`: whole shares, or the step of the market with the coarsest. */
type Sizes = {
  unit: number;
  /** The largest that all books hold. */
  onOffer: number;
  planOf: (count: number) => PlacementPlan;
  /** The first bound that a size is not within. */
  boundAt: (count: number) => SizeBound | null;
  /** The largest allowed size below `count`, which itself is not allowed. */
  mostAllowed: (count: number) => number;
  /** The size up to `most` with the largest excess, the larger of two equal ones; zero where `most` is zero. */
  bestUpTo: (most: number) => number;
  /** Whether a size makes the return that is asked for. */
  paysAt: (count: number) => boolean;
};

/** Sizes tried on each side of the best one by unrounded fees: the differences that rounding makes repeat within fewer. */
const TRIES_MAX = 2000;

function sizesOf({ quotes, targetPrice, smallest, leastProfitPct, bounds }: SizeQuestion): Sizes {
  const offered = buyable(quotes) ?? [];
  const unit = Math.max(ONE_SHARE, coarsestStep(quotes));
  const inBooks = offered.length === 0 ? 0 : Math.min(...offered.map(({ asks }) => totalSize(asks)));
  const onOffer = Math.floor(inBooks / unit);
  const slices = slicesOf(offered, targetPrice, leastProfitPct);
  const plans = new Map<number, PlacementPlan>();

  function planOf(count: number): PlacementPlan {
    const known = plans.get(count);
    if (known !== undefined) return known;
    const plan = planPlacement(quotes, (count * unit) as Shares, targetPrice);
    plans.set(count, plan);
    return plan;
  }

  function boundAt(count: number): SizeBound | null {
    if (count > onOffer) return 'depth';
    const plan = planOf(count);
    return bounds.find(({ refusal }) => refusal(plan) !== null)?.name ?? null;
  }

  function mostAllowed(count: number): number {
    // A bound that allows a plan allows every smaller plan.
    const refused = bounds.map((bound) => ({ ...bound, beyond: bound.refusal(planOf(count)) }));
    const binding = refused.filter(({ beyond }) => beyond !== null);
    const isAllowed = (smaller: number) => binding.every(({ refusal }) => refusal(planOf(smaller)) === null);
    let most = 0;
    let over = count;
    // The cost of a plan is nearly proportional to its size, so a search from the guess mostly takes two plans.
    let tried = Math.max(Math.ceil(smallest / unit), ...guessesOf(binding, count));
    for (let step = 1; tried > most && tried < over; step *= 2) {
      if (isAllowed(tried)) most = tried;
      else over = tried;
      tried += most === tried ? step : -step;
    }
    while (over - most > 1) {
      const middle = Math.floor((most + over) / 2);
      if (isAllowed(middle)) most = middle;
      else over = middle;
    }
    return most;
  }

  /** Profit beyond the return that is asked for, in the 100-millionths of a micro-dollar in which percent are exact. */
  function excessOf(count: number): bigint {
    const { expectedProfit, totalCost, totalFees } = planOf(count);
    return BigInt(expectedProfit) * HUNDRED_PERCENT - BigInt(totalCost + totalFees) * BigInt(leastProfitPct);
  }

  function bestUpTo(most: number): number {
    if (most < 1) return 0;
    const start = Math.max(1, Math.min(most, Math.floor(peakOf(slices) / unit)));
    let best = start;
    let excess = excessOf(start);
    // Rounding only reduces the excess: a size whose unrounded excess is below the best rounded one cannot be better.
    const mayBeBetter = (count: number) => {
      const isNear = Math.abs(count - start) <= TRIES_MAX;
      return isNear && unroundedExcess(slices, count * unit) >= Number(excess) / Number(HUNDRED_PERCENT) - 1;
    };
    for (let count = start - 1; count >= 1 && mayBeBetter(count); count -= 1) {
      if (excessOf(count) <= excess) continue;
      best = count;
      excess = excessOf(count);
    }
    for (let count = start + 1; count <= most && mayBeBetter(count); count += 1) {
      if (excessOf(count) < excess) continue;
      best = count;
      excess = excessOf(count);
    }
    return best;
  }

  return {
    unit,
    onOffer,
    planOf,
    boundAt,
    mostAllowed,
    bestUpTo,
    paysAt: (count) => count > 0 && excessOf(count) >= 0n,
  };
}

/** The size that a bound would allow if what it counts were in proportion to the size: of all of them, the smallest. */
function guessesOf(binding: readonly { beyond: Beyond | null }[], count: number): number[] {
  const shares = binding.flatMap(({ beyond }) => {
    const { actual, required } = beyond ?? {};
    return actual != null && required != null && actual > 0 ? [required / actual] : [];
  });
  return shares.length === 0 ? [] : [Math.floor(count * Math.min(...shares))];
}

const HUNDRED_PERCENT = 100n * BigInt(MICRO);

/** Shares up to which every position stays on one price level, and the unrounded excess of a set there in micro-dollars. */
type Slice = { upTo: number; excess: number };

function slicesOf(offered: readonly Offered[], targetPrice: Price, leastProfitPct: Percent): Slice[] {
  if (offered.length === 0) return [];
  const asked = 1 + leastProfitPct / Number(HUNDRED_PERCENT);
  return Array.from(slicesOfSet(offered), ({ upTo, levels }) => {
    const cost = levels.reduce((sum, { price }, index) => {
      const schedule = offered[index]?.schedule;
      return sum + price + (schedule === undefined ? 0 : unroundedFeePerShare(price, schedule));
    }, 0);
    return { upTo, excess: targetPrice - asked * cost };
  });
}

/** The shares after which the next set no longer makes the return that is asked for. */
function peakOf(slices: readonly Slice[]): number {
  let peak = 0;
  for (const { upTo, excess } of slices) {
    if (excess < 0) break;
    peak = upTo;
  }
  return peak;
}

/** In micro-dollars. */
function unroundedExcess(slices: readonly Slice[], shares: number): number {
  let before = 0;
  let total = 0;
  for (const { upTo, excess } of slices) {
    total += ((Math.min(upTo, shares) - before) / MICRO) * excess;
    if (upTo >= shares) break;
    before = upTo;
  }
  return total;
}
