/** What comes of a batch whose orders meet other books than those that they were planned by. */
import { mulAddDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { notional, totalNotional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Level } from '../book/level.ts';
import { takeLevels, totalSize } from '../book/walk.ts';
import type { FeeSchedule } from '../market/market.ts';
import { takerFeeOfLevels } from '../opportunity/fee.ts';
import type { PlannedOrder } from '../order/plan.ts';

/** An order of the batch, the fee of its market, and the book that it meets. */
export type MetOrder = Pick<PlannedOrder, 'size' | 'limitPrice'> & {
  schedule: FeeSchedule;
  asks: readonly Level[];
  bids: readonly Level[];
};

/**
 * `unwound`: shares that belong to no whole set were sold again, or lost. `profit`: what the whole sets pay, less all that was spent.
 * `spent`: dollars with fees, less what came back. `held`: of that, what the whole sets have cost. `taken`: from the asks, order by order.
 */
export type BatchOutcome = {
  kind: 'completed' | 'unwound' | 'unfilled';
  profit: Usd;
  spent: Usd;
  held: Usd;
  taken: Level[][];
};

/**
 * Each order takes of the asks what its limit allows. What one leg has more than another is sold to the bids at once, and what
 * has no bids is lost whole. A set pays `targetPrice`.
 */
export function batchOutcome(orders: readonly MetOrder[], targetPrice: Price): BatchOutcome {
  const taken = orders.map(({ asks, size, limitPrice }) => takeLevels(withinLimit(asks, limitPrice), size));
  const filled = taken.map(totalSize);
  const sets = filled.length === 0 ? SHARES_ZERO : filled.reduce(minShares);
  let spent = 0;
  let held = 0;
  for (const [place, order] of orders.entries()) {
    const bought = taken[place] ?? [];
    const shares = filled[place] ?? SHARES_ZERO;
    const paid = totalNotional(bought, 'up') + takerFeeOfLevels(bought, order.schedule);
    spent += paid - soldFor(order, subtractShares(shares, sets));
    if (shares > 0) held += mulAddDiv(paid, sets, 0, shares, 'up');
  }
  const profit = (notional(sets, targetPrice, 'down') - spent) as Usd;
  return { kind: kindOf(filled, sets), profit, spent: spent as Usd, held: held as Usd, taken };
}

function kindOf(filled: readonly Shares[], sets: Shares): BatchOutcome['kind'] {
  if (filled.some((shares) => shares > sets)) return 'unwound';
  return sets > 0 ? 'completed' : 'unfilled';
}

function withinLimit(asks: readonly Level[], limit: Price): readonly Level[] {
  const beyond = asks.findIndex(({ price }) => price > limit);
  return beyond < 0 ? asks : asks.slice(0, beyond);
}

function soldFor({ bids, schedule }: MetOrder, surplus: Shares): Usd {
  if (surplus === 0) return USD_ZERO;
  const sold = takeLevels(bids, surplus);
  return (totalNotional(sold, 'down') - takerFeeOfLevels(sold, schedule)) as Usd;
}
