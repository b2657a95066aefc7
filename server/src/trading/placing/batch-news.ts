/** What people are told of a batch, recorded in the transaction in which it becomes true. */
import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import type { NotificationType } from '@dutchbook/contract/notifications.ts';
import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import { type News, recordNotification } from '../../notifications/record.ts';
import type { Db, World } from '../../world/world.ts';
import type { BatchRecord } from './batch-state.ts';

const ENDINGS: Partial<Record<BatchStatus, { type: NotificationType; sentence: string }>> = {
  completed: { type: 'batch_completed', sentence: 'A batch has completed' },
  partial_completed: { type: 'batch_partial', sentence: 'A batch was filled in part only' },
  failed: { type: 'batch_failed', sentence: 'A batch has failed: nothing of it was filled' },
  sold: { type: 'batch_sold', sentence: 'A batch has been sold' },
};

/** Tells of a batch that has come to an end, and of orders that the venue may have or not. */
export async function tellOfBatch(
  tx: Db,
  world: Pick<World, 'clock' | 'dice' | 'notices'>,
  before: BatchRecord,
  after: BatchRecord,
): Promise<void> {
  if (after.status !== before.status) {
    const ending = ENDINGS[after.status];
    if (ending !== undefined) await recordNotification(tx, world, endingNews(ending, after));
  }
  if (after.ordersInDoubt > before.ordersInDoubt) await recordNotification(tx, world, doubtNews(after));
}

function endingNews({ type, sentence }: { type: NotificationType; sentence: string }, batch: BatchRecord): News {
  const { id, opportunityId, status, actualProfit, targetProfit, expectedOrders, totalOrders, simulated } = batch;
  const profit =
    actualProfit === null || status === 'failed'
      ? ''
      : `. Profit ${formatUsd(actualProfit)}, of ${formatUsd(targetProfit)} planned`;
  const reason = batch.lastError === null || status === 'sold' || status === 'completed' ? '' : `. ${batch.lastError}`;
  return {
    type,
    opportunityId,
    message: `${simulated ? 'Simulated: ' : ''}${sentence}${profit}${reason}`,
    data: {
      batch_id: id,
      total_orders: totalOrders,
      expected_orders: expectedOrders,
      target_profit_usd: usdToNumber(targetProfit),
      actual_profit_usd: actualProfit === null ? null : usdToNumber(actualProfit),
      last_error: batch.lastError,
      simulated,
    },
  };
}

function doubtNews({ id, opportunityId, ordersInDoubt }: BatchRecord): News {
  const orders = ordersInDoubt === 1 ? '1 order of a batch' : `${ordersInDoubt} orders of a batch`;
  return {
    type: 'order_unknown',
    opportunityId,
    message: `The venue did not say whether it has ${orders}. It is being asked; nothing is sent again until it answers`,
    data: { batch_id: id, orders_in_doubt: ordersInDoubt },
  };
}
