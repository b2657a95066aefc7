import type { Order } from '@dutchbook/contract/orders.ts';
import type { Holding } from '@dutchbook/contract/portfolio.ts';
import type { PlannedSale } from '@dutchbook/contract/selling.ts';
import { addShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, pricePerShare, type Usd } from '@dutchbook/units/usd.ts';

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

/** What is sold of the portfolio: the shares of one token, or of all of an event. */
export type HeldTokens = readonly Pick<Holding, 'token_id' | 'market_id' | 'market_name' | 'outcome' | 'shares'>[];

/** A row for each token, whichever orders hold its shares. */
export function legRows(tokens: HeldTokens, planned: readonly PlannedSale[]) {
  return tokens.map(({ token_id, market_name, outcome, shares }) => {
    const sales = planned.filter((sale) => sale.token_id === token_id);
    return { id: token_id, tokenId: token_id, market: market_name, outcome, shares, sale: together(sales) };
  });
}

/** One sale that stands for all of them, at the lowest price that one accepts. */
function together(sales: readonly PlannedSale[]): PlannedSale | undefined {
  const [first] = sales;
  if (first === undefined) return undefined;
  const sum = (of: (sale: PlannedSale) => Usd) => sales.map(of).reduce(addUsd);
  const sell_size = sales.map((sale) => sale.sell_size).reduce(addShares);
  const proceeds = sum((sale) => sale.proceeds);
  return {
    ...first,
    sell_size,
    sell_price: sales.map((sale) => sale.sell_price).reduce((lowest, price) => (price < lowest ? price : lowest)),
    average_price: pricePerShare(proceeds, sell_size, 'down'),
    proceeds,
    fee: sum((sale) => sale.fee),
    original_value: sum((sale) => sale.original_value),
    buy_fee: sum((sale) => sale.buy_fee),
  };
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
