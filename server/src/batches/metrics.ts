import type { BatchMetrics } from '@dutchbook/contract/execution.ts';
import { batchMetrics, type FillMetrics, type MeasuredOrder } from '@dutchbook/engine/batch/metrics.ts';
import { fillsOfOrder, type StoredOrders } from '../trading/selling/holdings.ts';
import type { BatchRow } from './store.ts';

/** What buying the batch cost beside what was planned. Orders of before plans were kept are measured by their limit. */
export function presentMetrics(batch: BatchRow, stored: StoredOrders): BatchMetrics {
  const bought = stored.orders
    .filter(({ side }) => side === 'buy')
    .map(({ id, expectedPrice, price }): MeasuredOrder => {
      return { id, expectedPrice: expectedPrice ?? price, fills: fillsOfOrder(stored, id) };
    });
  const { perOrder, ...whole } = batchMetrics(bought, batch.executionStartedAt);
  return {
    ...presented(whole),
    predicted_profit_usd: batch.targetProfit,
    realised_profit_usd: batch.actualProfit,
    per_order: perOrder.map(({ orderId, filledSize, averagePrice, ...metrics }) => ({
      order_id: orderId,
      filled_size: filledSize,
      average_price: averagePrice,
      ...presented(metrics),
    })),
  };
}

function presented({ filled, fees, slippage, firstFillMs, lastFillMs }: FillMetrics) {
  return {
    filled_usd: filled,
    fees_usd: fees,
    slippage_usd: slippage,
    first_fill_ms: firstFillMs,
    last_fill_ms: lastFillMs,
  };
}
