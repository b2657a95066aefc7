/** What comes of a batch whose orders meet other books than those that they were planned by. */
import { mulAddDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, totalNotional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
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
 * `byOrder`: of each what of `spent` and `held` it is.
 */
export type BatchOutcome = {
  kind: 'completed' | 'unwound' | 'unfilled';
  profit: Usd;
  spent: Usd;
  held: Usd;
  taken: Level[][];
  byOrder: { spent: Usd; held: Usd }[];
};

/**
 * Each order takes of the asks what its limit allows. What one leg has more than another is sold to the bids at once, and what
 * has no bids is lost whole. A set pays `targetPrice`.
 */
export function batchOutcome(orders: readonly MetOrder[], targetPrice: Price): BatchOutcome {
  const taken = orders.map(({ asks, size, limitPrice }) => takeLevels(withinLimit(asks, limitPrice), size));
  const filled = taken.map(totalSize);
  const sets = filled.length === 0 ? SHARES_ZERO : filled.reduce(minShares);
  const byOrder = orders.map((order, place) => {
    const bought = taken[place] ?? [];
    const shares = filled[place] ?? SHARES_ZERO;
    const paid = totalNotional(bought, 'up') + takerFeeOfLevels(bought, order.schedule);
    return {
      spent: (paid - soldFor(order, subtractShares(shares, sets))) as Usd,
      held: (shares > 0 ? mulAddDiv(paid, sets, 0, shares, 'up') : 0) as Usd,
    };
  });
  const spent = byOrder.reduce((sum, order) => addUsd(sum, order.spent), USD_ZERO);
  const held = byOrder.reduce((sum, order) => addUsd(sum, order.held), USD_ZERO);
  const profit = subtractUsd(notional(sets, targetPrice, 'down'), spent);
  return { kind: kindOf(filled, sets), profit, spent, held, taken, byOrder };
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
