import type { Order } from '@dutchbook/contract/orders.ts';
import { pricePerShare } from '@dutchbook/units/usd.ts';
import type { OrderRow } from './store.ts';

export function presentOrder(row: OrderRow): Order {
  return {
    id: row.id,
    batch_id: row.batchId,
    opportunity_id: row.opportunityId,
    leg: row.leg,
    status: row.status,
    market_id: row.marketId,
    market_name: row.marketName,
    token_id: row.tokenId,
    side: row.side,
    outcome: row.outcome,
    size: row.size,
    price: row.price,
    filled_size: row.filledSize,
    average_price: row.filledSize > 0 ? pricePerShare(row.filledCost, row.filledSize, 'up') : null,
    fee: row.fee,
    simulated: row.simulated,
    attempts: row.attemptCount,
    error: row.error,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
