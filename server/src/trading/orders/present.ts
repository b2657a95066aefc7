import type { Order } from '@dutchbook/contract/orders.ts';
import { pricePerShare } from '@dutchbook/units/usd.ts';
import { presentError } from './attempt-wording.ts';
import type { OrderRow, UnknownOutcome } from './store.ts';

/** Prices are rounded against us: what a share cost up, what it brought down. */
export function presentOrder(row: OrderRow): Order {
  return {
    id: row.id,
    batch_id: row.batchId,
    batch_name: row.batchName,
    opportunity_id: row.opportunityId,
    leg: row.leg,
    status: row.status,
    market_id: row.marketId,
    market_name: row.marketName,
    token_id: row.tokenId,
    side: row.side,
    outcome: row.outcome,
    size: row.size,
    size_bounded_by: row.sizeBoundedBy,
    price: row.price,
    filled_size: row.filledSize,
    average_price:
      row.filledSize > 0 ? pricePerShare(row.filledCost, row.filledSize, row.side === 'buy' ? 'up' : 'down') : null,
    fee: row.fee,
    sold_size: row.soldSize,
    sells_order_id: row.sellsOrderId,
    chain_step_id: row.chainStepId,
    submission_id: row.submissionId,
    submission_purpose: row.submissionPurpose,
    simulated: row.simulated,
    attempts: row.attemptCount,
    doubt: row.unknownOutcome === null ? null : presentUnknown(row.unknownOutcome),
    waiting: row.waits
      ? { until: row.waitsUntil, cancel_requested_at: row.cancelRequestedAt, cancel_reason: row.cancelReason }
      : null,
    error: presentError(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

function presentUnknown({ orderHash, since, askedAt, answer }: UnknownOutcome): Order['doubt'] {
  const question = `Does the venue have order ${orderHash}?`;
  return { since, order_hash: orderHash, asked_at: askedAt, question, answer };
}
