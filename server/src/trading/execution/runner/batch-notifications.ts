/** Notifications of a batch; each is recorded in the transaction of its cause. */
import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import { filledSize } from '@dutchbook/engine/order/life.ts';
import { formatPrice, priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import { type NewNotification, recordNotification } from '../../../people/notifications/record.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import {
  type BatchRecord,
  type BatchState,
  type FillRecord,
  fillsOf,
  hasEnded,
  howSold,
  type OrderRecord,
  orderOfFill,
} from '../../orders/batch-state.ts';

const ENDINGS: Partial<Record<BatchStatus, { type: NotificationType; sentence: string }>> = {
  completed: { type: 'batch_completed', sentence: 'A batch has completed' },
  partial_completed: { type: 'batch_partial', sentence: 'A batch was filled in part only' },
  failed: { type: 'batch_failed', sentence: 'A batch has failed: nothing of it was filled' },
  sold: { type: 'batch_sold', sentence: 'A batch has been' },
};

/** Notifications of a batch that has ended, of waiting sales that have ended, and of orders whose outcome is unknown. */
export function notificationsOfBatch(before: BatchState, after: BatchState): NewNotification[] {
  const { batch } = after;
  const ending = batch.status === before.batch.status ? undefined : ENDINGS[batch.status];
  return [
    ...(ending === undefined ? [] : [endingNotification(ending, after)]),
    ...endedSales(before, after).map((sale) => saleNotification(after, sale)),
    ...(batch.unknownOrders > before.batch.unknownOrders ? [unknownNotification(batch)] : []),
  ];
}

function endedSales(before: BatchState, after: BatchState): OrderRecord[] {
  const waited = new Set(before.sales.filter((sale) => sale.waits && !hasEnded(before, sale)).map(({ id }) => id));
  return after.sales.filter((sale) => waited.has(sale.id) && hasEnded(after, sale));
}

function saleNotification(state: BatchState, sale: OrderRecord): NewNotification {
  const { id: batchId, name, opportunityId } = state.batch;
  const sold = filledSize(fillsOf(state, sale.id));
  const what = `${sale.outcome} of "${sale.marketName}" at ${formatPrice(sale.price)}`;
  const why = sold >= sale.size ? '' : `, because ${whyEnded(sale)}`;
  return {
    type: 'sale_ended',
    opportunityId,
    message: titled(
      name,
      `A sale that waited has ended: ${sharesToText(sold)} of ${sharesToText(sale.size)} shares sold, ${what}${why}`,
    ),
    data: {
      batch_id: batchId,
      name,
      order_id: sale.id,
      market_name: sale.marketName,
      outcome: sale.outcome,
      price: priceToNumber(sale.price),
      size: sharesToNumber(sale.size),
      filled_size: sharesToNumber(sold),
      cancel_reason: sale.cancelReason,
    },
  };
}

function whyEnded({ cancelReason, waitsUntil, error }: OrderRecord): string {
  if (cancelReason === 'canceled') return 'it was canceled';
  if (cancelReason === 'disarmed') return 'trading was disarmed';
  if (error !== null) return `the sale failed: ${error}`;
  return waitsUntil === null ? 'the venue canceled it' : 'its time limit passed';
}

/**
 * Records one notification of the trades whose settlement has failed and whose keys are not in `before`. Their fills are undone in the same
 * transaction.
 */
export async function notifyOfFailedTrades(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'random' | 'pubsub'>,
  before: ReadonlySet<string>,
  after: BatchState,
): Promise<void> {
  const failed = after.fills.filter((fill) => fill.settlement === 'failed' && !before.has(tradeKey(fill)));
  if (failed.length > 0) await recordNotification(tx, runtime, failureNotification(after, failed));
}

/** The trades of a batch that have failed to settle. */
export function failedTrades({ fills }: BatchState): ReadonlySet<string> {
  return new Set(fills.filter(({ settlement }) => settlement === 'failed').map(tradeKey));
}

function tradeKey({ tradeId, orderHash }: FillRecord): string {
  return `${tradeId} ${orderHash}`;
}

function failureNotification(state: BatchState, failed: readonly FillRecord[]): NewNotification {
  const { id, name, opportunityId, actualProfit } = state.batch;
  const trades = failed.map((fill) => ({ fill, order: orderOfFill(state, fill) }));
  const taken = trades.map(
    ({ fill, order }) =>
      `${order.side === 'buy' ? 'bought' : 'sold'} ${sharesToText(fill.size)} ${order.outcome} of "${order.marketName}"`,
  );
  const profit = actualProfit === null ? '' : `. Profit ${formatUsd(actualProfit)} now`;
  return {
    type: 'settlement_failed',
    opportunityId,
    message: titled(
      name,
      `${failed.length === 1 ? 'A trade' : `${failed.length} trades`} failed to settle on chain and counts as not made: ${taken.join(', ')}${profit}`,
    ),
    data: {
      batch_id: id,
      name,
      actual_profit_usd: actualProfit === null ? null : usdToNumber(actualProfit),
      trades: trades.map(({ fill, order }) => ({
        trade_id: fill.tradeId,
        order_id: order.id,
        market_name: order.marketName,
        outcome: order.outcome,
        side: order.side,
        shares: sharesToNumber(fill.size),
        price: priceToNumber(fill.price),
      })),
    },
  };
}

function endingNotification(
  { type, sentence: known }: { type: NotificationType; sentence: string },
  { batch, sales }: BatchState,
): NewNotification {
  const sentence = batch.status === 'sold' ? `${known} ${howSold(sales)}` : known;
  const { id, name, opportunityId, status, actualProfit, targetProfit, expectedOrders, totalOrders, simulated } = batch;
  const { orderSize, sizeBoundedBy } = batch;
  const profit =
    actualProfit === null || status === 'failed'
      ? ''
      : `. Profit ${formatUsd(actualProfit)}, of ${formatUsd(targetProfit)} planned`;
  const reason = batch.lastError === null || status === 'sold' || status === 'completed' ? '' : `. ${batch.lastError}`;
  return {
    type,
    opportunityId,
    message: `${simulated ? 'Simulated: ' : ''}${titled(name, `${sentence}${profit}. Size ${sizeWords(orderSize, sizeBoundedBy)}${reason}`)}`,
    data: {
      batch_id: id,
      name,
      total_orders: totalOrders,
      expected_orders: expectedOrders,
      order_size: sharesToNumber(orderSize),
      size_bounded_by: sizeBoundedBy,
      target_profit_usd: usdToNumber(targetProfit),
      actual_profit_usd: actualProfit === null ? null : usdToNumber(actualProfit),
      last_error: batch.lastError,
      simulated,
    },
  };
}

/** Puts the batch's name in front of a sentence; without a name it says "a batch". */
export function titled(name: string | null, sentence: string): string {
  return name === null ? sentence : `${name}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function unknownNotification({ id, name, opportunityId, unknownOrders }: BatchRecord): NewNotification {
  const orders = unknownOrders === 1 ? '1 order of a batch' : `${unknownOrders} orders of a batch`;
  return {
    type: 'order_unknown',
    opportunityId,
    message: titled(
      name,
      `The venue did not say whether it has ${orders}. It is being asked; nothing is sent again until it answers`,
    ),
    data: { batch_id: id, name, orders_in_doubt: unknownOrders },
  };
}
