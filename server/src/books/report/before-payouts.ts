import { holdingOf } from '@dutchbook/engine/batch/holding.ts';
import { holdsMoreThanFees } from '@dutchbook/engine/order/open-cost.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { fillsOf, holdersOf, type OrderRecord, salesOf } from '../../trading/orders/batch-state.ts';
import type { BatchMarket } from './batch-markets.ts';
import type { ResultState } from './result-states.ts';

type Order = Pick<OrderRecord, 'marketId' | 'resolvedValue' | 'resolvedAt'>;

/** Markets that end together are resolved within it. */
const ENDING_MS = 86_400_000;

/**
 * The batch as its profit is counted while an event is being paid. A venue pays the legs of a set one after the other, and says one after the
 * other what has lost: until the last market of the event that ended with them is known and paid, its payouts are put aside, because what is
 * left of a set by then is neither lost nor at risk. What ends later is not waited for, also where a market is paid before its own end,
 * as the rung of a ladder that was reached early.
 */
export function beforePayouts(state: ResultState, markets: ReadonlyMap<string, BatchMarket>): ResultState {
  const payouts = state.sales.filter(({ submissionPurpose }) => submissionPurpose === 'redeem');
  if (payouts.length === 0) return state;
  const eventOf = ({ marketId }: Order) => markets.get(marketId)?.event?.id ?? marketId;
  const endOf = ({ marketId }: Order) => markets.get(marketId)?.endDate ?? null;
  const holdingBy = ({ id, goneSize }: Pick<OrderRecord, 'id' | 'goneSize'>) =>
    holdingOf({ fills: fillsOf(state, id), sales: salesOf(state, id), goneSize });
  const held = holdersOf(state).filter((order) => holdsMoreThanFees(holdingBy(order)));
  const endsWith = (order: Order, payout: Order, paidAt: Instant) => {
    if (order.resolvedValue !== null) return order.resolvedAt === null || order.resolvedAt - paidAt <= ENDING_MS;
    const [ends, end] = [endOf(order), endOf(payout)];
    return ends !== null && end !== null && ends <= Math.min(end, paidAt);
  };
  const isBeingPaid = (payout: (typeof payouts)[number]) => {
    const paidAt = fillsOf(state, payout.id)[0]?.matchedAt;
    if (paidAt === undefined) return false;
    return held.some(
      (order) => eventOf(order) === eventOf(payout) && order.resolvedValue !== 0 && endsWith(order, payout, paidAt),
    );
  };
  const open = new Set(payouts.filter(isBeingPaid));
  return open.size === 0 ? state : { ...state, sales: state.sales.filter((sale) => !open.has(sale)) };
}
