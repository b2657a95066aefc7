/** What is stored of a batch in the words in which the engine plans sales. */
import type { Unhedged } from '@dutchbook/engine/batch/figures.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { SellableOrder } from '@dutchbook/engine/sell/sale.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { TrustedQuote } from '../../parts.ts';
import type { StoredUnhedged } from '../../world/schema.ts';
import type { HeldOrder } from './holdings.ts';

export function positionOf({ order }: HeldOrder): Position {
  return { leg: order.leg, marketId: order.marketId, outcome: order.outcome };
}

/** All its shares, at the bids of `quote`; a book that is in doubt counts as none. */
export function sellableOrder({ order, holding, inSale }: HeldOrder, quote: TrustedQuote | undefined): SellableOrder {
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

/** What the orders themselves hold of each token by their fills. */
export function heldByToken(held: readonly HeldOrder[]): Map<string, Shares> {
  const tokens = new Map<string, Shares>();
  for (const { order, holding } of held) {
    tokens.set(order.tokenId, addShares(tokens.get(order.tokenId) ?? SHARES_ZERO, holding.held));
  }
  return tokens;
}

/** What the loop has found to be unhedged, by the orders that hold it. */
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
