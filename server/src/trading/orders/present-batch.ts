import type { Batch } from '@dutchbook/contract/batches.ts';
import { canRetry, finishRequestRefusal, isFinal } from '@dutchbook/engine/batch/actions.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { BatchRow } from './batch-store.ts';
import { seriesBound } from './table.ts';
import { type WaysOut, waysOutOf } from './ways-out.ts';

/** Sources for showing batches: the database, and the feed's books for what is at risk. */
export type BatchViewer = { db: Db; quotes: Pick<Quotes, 'current'> };

type Unhedged = NonNullable<Batch['unhedged']>;

export async function presentBatches({ db, quotes }: BatchViewer, rows: readonly BatchRow[]): Promise<Batch[]> {
  const ways = await waysOutOf(db, quotes, rows);
  return rows.map((row) => withWaysOut(row, ways.get(row.id) ?? null));
}

export async function presentBatch({ db, quotes }: BatchViewer, row: BatchRow): Promise<Batch> {
  const ways = await waysOutOf(db, quotes, [row]);
  return withWaysOut(row, ways.get(row.id) ?? null);
}

export function withWaysOut(row: BatchRow, ways: WaysOut | null): Batch {
  return {
    id: row.id,
    opportunity_id: row.opportunityId,
    name: row.name,
    venues: row.venues,
    status: row.status,
    total_orders: row.totalOrders,
    expected_orders: row.expectedOrders,
    order_size: row.orderSize,
    size_bounded_by: seriesBound(row),
    series_id: row.seriesId,
    clip_number: row.clipNumber,
    clips_max: row.seriesId === null ? null : row.settings.CLIPS_MAX,
    target_price: row.targetPrice,
    target_profit_usd: row.targetProfit,
    actual_profit_usd: row.actualProfit,
    retry_count: row.retryCount,
    max_retries: row.maxRetries,
    can_retry: canRetry(row),
    is_active: isActive(row.status),
    is_final: isFinal(row),
    cancel_requested: row.cancelRequestedAt !== null,
    orders_in_doubt: row.unknownOrders,
    simulated: row.simulated,
    automatic: row.automatic,
    unhedged: presentUnhedged(row, ways),
    dollars_free_since: row.releasedAt,
    execution_started_at: row.executionStartedAt,
    execution_completed_at: row.executionCompletedAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    last_error: row.lastError,
  };
}

function presentUnhedged(row: BatchRow, ways: WaysOut | null): Batch['unhedged'] {
  const { unhedged, unhedgedSince, updatedAt } = row;
  if (unhedged === null) return null;
  return {
    worst_loss_usd: unhedged.worstLoss,
    unwind_cost_usd: ways?.unwindCost ?? null,
    can_finish: finishRequestRefusal(row) === null,
    ...presentFinish(ways?.finish ?? null),
    cheaper: ways?.cheaper ?? null,
    since: unhedgedSince ?? updatedAt,
    positions: unhedged.positions.map((position) => ({
      order_id: position.orderId,
      market_name: position.marketName,
      outcome: position.outcome,
      shares: position.shares,
      usd: position.atRisk,
    })),
  };
}

function presentFinish(finish: WaysOut['finish'] | null): Pick<Unhedged, 'finish' | 'finish_refusal'> {
  if (finish === null) return { finish: null, finish_refusal: null };
  if (finish.kind === 'refused') return { finish: null, finish_refusal: `${finish.reason}.` };
  const { cost, atMost, pays, loss } = finish;
  return { finish: { cost_usd: cost, at_most_usd: atMost, pays_usd: pays, loss_usd: loss }, finish_refusal: null };
}
