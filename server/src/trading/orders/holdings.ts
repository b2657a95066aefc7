/** Holdings of a batch's orders by their fills, in the form in which the engine plans sales. */
import type { Unhedged } from '@dutchbook/engine/batch/figures.ts';
import { type Holding, holdingOf } from '@dutchbook/engine/batch/holding.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { unreportedOf } from '@dutchbook/engine/order/under-way.ts';
import type { SellableOrder } from '@dutchbook/engine/sell/sale.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import {
  attemptsOf,
  type BatchState,
  fillsOf,
  holdersOf,
  type OrderRecord,
  salesOf,
  sellOrdersOf,
} from './batch-state.ts';
import type { StoredUnhedged } from './table.ts';

/** A buy of a batch, what it holds by its fills, and how many of its shares are in sell orders that have not ended. */
export type HeldOrder = { order: OrderRecord; holding: Holding; inSale: Shares };

/** The orders of a batch that may hold shares, with what they hold. */
export function heldOrders(state: BatchState): HeldOrder[] {
  return holdersOf(state).map((order) => ({
    order,
    holding: holdingOfOrder(state, order),
    inSale: unsoldOf(state, sellOrdersOf(state, order.id)),
  }));
}

/** The shares that a buy of the batch bought, sold and still holds. */
export function holdingOfOrder(state: BatchState, { id, goneSize }: Pick<OrderRecord, 'id' | 'goneSize'>): Holding {
  return holdingOf({ fills: fillsOf(state, id), sales: salesOf(state, id), goneSize });
}

/** The shares of these sell orders that may still be sold by them. */
export function unsoldOf(state: BatchState, sales: readonly OrderRecord[]): Shares {
  return sales.reduce((sum, sale) => addShares(sum, unsoldOfOrder(state, sale)), SHARES_ZERO);
}

function unsoldOfOrder(state: BatchState, sale: OrderRecord): Shares {
  const attempts = attemptsOf(state, sale.id);
  const fills = fillsOf(state, sale.id);
  if (attempts.length === 0) return sale.status === 'failed' ? SHARES_ZERO : sale.size;
  return attempts.reduce((sum, attempt) => addShares(sum, unreportedOf(attempt, fills)), SHARES_ZERO);
}

export function positionOf({ order }: HeldOrder): Position {
  return { leg: order.leg, marketId: order.marketId, outcome: order.outcome };
}

/** All its shares, at the bids of `quote`; a stale book counts as none. */
export function sellableOrder({ order, holding, inSale }: HeldOrder, quote: LiveQuote | undefined): SellableOrder {
  return {
    orderId: order.id,
    leg: order.leg,
    marketId: order.marketId,
    outcome: order.outcome,
    tokenId: order.tokenId,
    market: quote?.market,
    bids: quote === undefined || quote.feed === 'stale' ? null : (quote.book?.bids ?? null),
    holding,
    inSale,
    wanted: null,
  };
}

/** Shares of each token that the orders hold by their fills. */
export function heldByToken(held: readonly HeldOrder[]): Map<string, Shares> {
  const tokens = new Map<string, Shares>();
  for (const { order, holding } of held) {
    tokens.set(order.tokenId, addShares(tokens.get(order.tokenId) ?? SHARES_ZERO, holding.held));
  }
  return tokens;
}

/** The unhedged shares that the loop has found, by order. */
export function unhedgedOf({ positions, worstLoss }: StoredUnhedged, held: readonly HeldOrder[]): Unhedged {
  return {
    worstLoss,
    positions: positions.flatMap(({ orderId, shares, atRisk }) =>
      held
        .filter(({ order }) => order.id === orderId)
        .map(({ order: { leg, marketId, outcome, tokenId } }) => ({ leg, marketId, outcome, tokenId, shares, atRisk })),
    ),
  };
}
