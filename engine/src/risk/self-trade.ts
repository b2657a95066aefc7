import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, type Price, priceToNumber, priceToText } from '@dutchbook/units/price.ts';
import type { Side } from '../book/level.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/** An order of this account that may stand in the venue's book, or is about to. */
export type OwnOrder = {
  batchId: string;
  /** Null of batches that have none. */
  batchName: string | null;
  marketId: MarketId;
  tokenId: TokenId;
  side: Side;
  price: Price;
};

/** An order that is about to be sent: it buys at most, or sells at least, at `price`. */
type Incoming = Omit<OwnOrder, 'batchId' | 'batchName'>;

/**
 * The own order that an order could trade with. Orders of one token do when a buy reaches a sale; of the two tokens of a
 * market, two buys do when they add up to a dollar, which mints a pair, and two sales when they add up to no more.
 */
export function ownOrderCrossed(order: Incoming, own: readonly OwnOrder[]): OwnOrder | null {
  return own.find((standing) => standing.marketId === order.marketId && cross(order, standing)) ?? null;
}

function cross(order: Incoming, standing: Incoming): boolean {
  if (order.tokenId === standing.tokenId) {
    if (order.side === standing.side) return false;
    return order.side === 'buy' ? order.price >= standing.price : standing.price >= order.price;
  }
  if (order.side !== standing.side) return false;
  const both = order.price + standing.price;
  return order.side === 'buy' ? both >= PRICE_ONE : both <= PRICE_ONE;
}

/** No order trades with one of our own: that pays fees for nothing, and books one share as bought and as sold. */
export function selfTradeGate({ plan, ownOrders }: Pick<GateContext, 'plan' | 'ownOrders'>): Blocker | null {
  return firstOf(
    plan.orders.flatMap(({ leg, marketId, tokenId, side, limitPrice: price }) => {
      const standing = ownOrderCrossed({ marketId, tokenId, side, price }, ownOrders);
      if (standing === null) return [];
      const message = `leg ${leg} would trade with ${nameOwnOrder(standing)}`;
      return [{ gate: 'self-trade', message, actual: priceToNumber(price), required: null }];
    }),
  );
}

export function nameOwnOrder({ side, price, batchName }: OwnOrder): string {
  const batch = batchName ? `the batch “${batchName}”` : 'another batch';
  return `our own order to ${side} at ${priceToText(price)} that has not ended, of ${batch}`;
}
