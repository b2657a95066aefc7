import type { BatchSummary } from '@dutchbook/contract/orders.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { FRACTION_ZERO, ratio } from '@dutchbook/units/fraction.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Micro } from '@dutchbook/units/micro.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Execution } from './batch-store.ts';
import type { OrderRow } from './store.ts';

/**
 * How well a batch was bought: its sell orders do not count, nor what contracts handed out. `average_order_value` is what the filled orders cost before
 * fees, on average, rounded down to the micro-dollar.
 */
export function presentSummary(batch: Execution, orders: readonly OrderRow[], now: Instant): BatchSummary {
  const buys = orders.filter(
    ({ side, chainStepId }) => side === 'buy' && (chainStepId === null || chainStepId === batch.splitStepId),
  );
  const filled = buys.filter(({ filledSize }) => filledSize > 0);
  const complete = buys.filter(({ status }) => status === 'filled').length;
  const cost = filled.reduce((sum, order) => addUsd(sum, order.filledCost), USD_ZERO);
  return {
    success_rate:
      buys.length === 0 ? FRACTION_ZERO : ratio(complete as Micro<'orders'>, buys.length as Micro<'orders'>, 'down'),
    average_order_value: filled.length === 0 ? null : (Math.floor(cost / filled.length) as Usd),
    execution_time_seconds: executionSeconds(batch, now),
  };
}

/** From the first start of a batch to its last end: a batch that is retried goes on, the time in between included. */
function executionSeconds(batch: Execution, now: Instant): number | null {
  if (batch.executionStartedAt === null) return null;
  const end = isActive(batch.status) ? now : (batch.executionCompletedAt ?? batch.updatedAt);
  return Math.max(0, elapsedMs(batch.executionStartedAt, end)) / 1000;
}
