import type { BatchMetrics } from '@dutchbook/contract/execution.ts';
import { batchMetrics, type FillMetrics, type MeasuredOrder } from '@dutchbook/engine/batch/metrics.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type BatchState, fillsOf, holdersOf } from '../orders/batch-state.ts';
import { holdingOfOrder } from '../orders/holdings.ts';

/**
 * Compares the cost of a batch with its plan. Orders without a stored plan are measured by their limit. The fees of the whole are those that its profit
 * counts: of sales too.
 */
export function presentMetrics(state: BatchState): BatchMetrics {
  const { batch } = state;
  const bought = state.orders.map(({ id, expectedPrice, price }): MeasuredOrder => {
    return { id, expectedPrice: expectedPrice ?? price, fills: fillsOf(state, id) };
  });
  const { perOrder, ...whole } = batchMetrics(bought, batch.createdAt);
  return {
    ...presented({ ...whole, fees: feesOf(state) }),
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

function feesOf(state: BatchState): Usd {
  return holdersOf(state)
    .map((order) => holdingOfOrder(state, order))
    .reduce((sum, { buyFees, saleFees }) => addUsd(sum, addUsd(buyFees, saleFees)), USD_ZERO);
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
