import type { Batch, BatchSummary } from '@dutchbook/contract/batches.ts';
import { canRetry, isActive, isFinal } from '@dutchbook/engine/batch/life.ts';
import { FRACTION_ZERO, ratio } from '@dutchbook/units/fraction.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Micro } from '@dutchbook/units/micro.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { OrderRow } from '../orders/store.ts';
import type { BatchRow } from './store.ts';

export function presentBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    opportunity_id: row.opportunityId,
    status: row.status,
    total_orders: row.totalOrders,
    expected_orders: row.expectedOrders,
    order_size: row.orderSize,
    target_price: row.targetPrice,
    target_profit_usd: row.targetProfit,
    actual_profit_usd: row.actualProfit,
    retry_count: row.retryCount,
    max_retries: row.maxRetries,
    can_retry: canRetry(row),
    is_active: isActive(row.status),
    is_final: isFinal(row),
    simulated: row.simulated,
    automatic: row.automatic,
    unhedged: presentUnhedged(row),
    execution_started_at: row.executionStartedAt,
    execution_completed_at: row.executionCompletedAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    last_error: row.lastError,
  };
}

function presentUnhedged({ unhedged }: BatchRow): Batch['unhedged'] {
  if (unhedged === null) return null;
  return {
    worst_loss_usd: unhedged.worstLoss,
    positions: unhedged.positions.map((position) => ({
      order_id: position.orderId,
      market_name: position.marketName,
      outcome: position.outcome,
      shares: position.shares,
      usd: position.atRisk,
    })),
  };
}

/** `average_order_value` is what the filled orders cost before fees, on average, rounded down to the micro-dollar. */
export function presentSummary(batch: BatchRow, orders: readonly OrderRow[], now: Instant): BatchSummary {
  const filled = orders.filter(({ filledSize }) => filledSize > 0);
  const complete = orders.filter(({ status }) => status === 'filled').length;
  const cost = filled.reduce((sum, order) => addUsd(sum, order.filledCost), USD_ZERO);
  return {
    success_rate:
      orders.length === 0
        ? FRACTION_ZERO
        : ratio(complete as Micro<'orders'>, orders.length as Micro<'orders'>, 'down'),
    average_order_value: filled.length === 0 ? null : (Math.floor(cost / filled.length) as Usd),
    execution_time_seconds: executionSeconds(batch, now),
  };
}

function executionSeconds(batch: BatchRow, now: Instant): number | null {
  if (batch.executionStartedAt === null) return null;
  const end = batch.executionCompletedAt ?? (isActive(batch.status) ? now : batch.updatedAt);
  return Math.max(0, elapsedMs(batch.executionStartedAt, end)) / 1000;
}
