import type { Order } from '@dutchbook/contract/orders.ts';
import type { PlannedSale } from '@dutchbook/contract/selling.ts';
import { SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';

/** Shares that are held, and the sale that is planned of them; `sale` is `undefined` where nothing can be sold now. */
export type SaleRow = {
  id: string;
  market: string;
  outcome: string;
  shares: Shares;
  sale: PlannedSale | undefined;
};

/** A row per order that holds shares; before the orders are known, one per planned sale. */
export function sellAllRows(orders: readonly Order[] | undefined, planned: readonly PlannedSale[]) {
  if (orders === undefined) {
    return planned.map((sale) => ({ ...rowOf(sale, sale.sell_size, planned), tokenId: sale.token_id }));
  }
  return orders
    .filter((order) => heldShares(order) > 0)
    .map((order) => ({
      ...rowOf({ ...order, order_id: order.id }, heldShares(order), planned),
      tokenId: order.token_id,
    }));
}

type Named = { order_id: string; market_name: string; outcome: string };

/** The row of one order of which `shares` could be sold. */
export function rowOf({ order_id, market_name, outcome }: Named, shares: Shares, planned: readonly PlannedSale[]) {
  const sale = planned.find((each) => each.order_id === order_id);
  return { id: order_id, market: market_name, outcome, shares, sale } satisfies SaleRow;
}

/** How many shares an order still holds; none of a sell. */
export function heldShares({
  side,
  filled_size,
  sold_size,
}: Pick<Order, 'side' | 'filled_size' | 'sold_size'>): Shares {
  if (side === 'sell' || sold_size >= filled_size) return SHARES_ZERO;
  return subtractShares(filled_size, sold_size);
}
