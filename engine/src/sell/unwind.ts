import { minShares } from '@dutchbook/units/shares.ts';
import { subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { Unhedged } from '../batch/figures.ts';
import { NOTHING_TO_SELL, planSale, type SellPlan, type SellRequest } from './plan.ts';

/**
 * `unwindCost` is what getting out now loses: what the unhedged shares cost with their fees, less what the bids pay for
 * them after fees; shares without bids are lost whole. Below zero it is a gain; null while a book, a fee or a holding
 * is not known.
 */
export type UnwindPlan = { plan: SellPlan; unwindCost: Usd | null };

/** Plans to sell the unhedged shares of a batch and no others: whole sets stay. */
export function planUnwind(request: SellRequest, { positions, worstLoss }: Unhedged): UnwindPlan {
  const orders = positions.flatMap(({ leg, tokenId, shares }) =>
    request.orders
      .filter((order) => order.leg === leg && order.tokenId === tokenId)
      .map((order) => {
        const free = minShares(request.freeByToken.get(tokenId) ?? shares, order.holding.held);
        return { ...order, wanted: minShares(shares, free) };
      }),
  );
  const plan = planSale({ ...request, orders });
  const unknown = plan.errors.some((error) => error !== NOTHING_TO_SELL);
  const net = subtractUsd(plan.estimatedProceeds, plan.estimatedFees);
  return { plan, unwindCost: unknown ? null : subtractUsd(worstLoss, net) };
}
