import { holdingOf } from '@dutchbook/engine/batch/holding.ts';
import { LEAST_SIZE, roundSharesDown, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type BatchState, fillsOf, hasEnded, sellOrdersOf } from '../../orders/batch-state.ts';
import { type OrderRow, ordersOfState } from '../../orders/store.ts';

/**
 * A buy whose shares were to be sold, how many, and the sell order that was sent for it: null where nothing could be sold.
 * `hasEnded`: nothing more can come of it.
 */
export type SoldOrder = { bought: OrderRow; wanted: Shares; row: OrderRow | null; hasEnded: boolean };

/** Which sale it was; `all` of what was left of every order of the batch, or only what its sell orders say. */
export type SaleAsked = { saleId: string; all: boolean };

/** The results of one sale, in the order of the positions: one for each order whose shares it was to sell. */
export function ordersOfSale(state: BatchState, { saleId, all }: SaleAsked): SoldOrder[] {
  const rows = ordersOfState(state);
  return rows
    .filter(({ side }) => side === 'buy')
    .map((bought): SoldOrder => {
      const row = rows.find((sale) => sale.saleId === saleId && sale.sellsOrderId === bought.id) ?? null;
      const wanted = all ? leftBefore(state, bought.id, saleId) : (row?.size ?? SHARES_ZERO);
      return { bought, wanted, row, hasEnded: row === null || hasEnded(state, row) };
    })
    .filter(({ row, wanted }) => row !== null || wanted > 0);
}

/** The shares of a buy that were left when a sale was recorded, but for what no order could sell. */
function leftBefore(state: BatchState, orderId: string, saleId: string): Shares {
  const first = Math.min(...state.sales.filter((order) => order.saleId === saleId).map(({ ordinal }) => ordinal));
  const earlier = sellOrdersOf(state, orderId).filter(({ ordinal }) => ordinal < first);
  const sales = earlier.flatMap(({ id }) => fillsOf(state, id));
  return roundSharesDown(holdingOf({ fills: fillsOf(state, orderId), sales }).held, LEAST_SIZE);
}
