import type { UnreadableTrade } from '@dutchbook/venues/venue.ts';
import { recordNotification } from '../../../people/notifications/record.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type AttemptRecord, type BatchState, orderOf } from '../../orders/batch-state.ts';

/** Tells people that what was filled of an order is not known, because its trade cannot be read. */
export async function notifyUnreadableTrade(
  runtime: Runtime,
  state: BatchState,
  attempt: AttemptRecord,
  { tradeId, message }: UnreadableTrade,
): Promise<void> {
  const { marketName, outcome, side, leg } = orderOf(state, attempt.orderId);
  runtime.log.error({ orderHash: attempt.orderHash, tradeId, reason: message }, 'unreadable trade found');
  await recordNotification(runtime.db, runtime, {
    type: 'trade_unreadable',
    opportunityId: state.batch.opportunityId,
    message: `A trade of an order to ${side} ${outcome} of "${marketName}" came in a form that cannot be read. What was filled of the order is not known; look it up at the venue`,
    data: {
      batch_id: state.batch.id,
      order_id: attempt.orderId,
      order_hash: attempt.orderHash,
      trade_id: tradeId,
      leg,
      market_name: marketName,
      outcome,
    },
  });
}
