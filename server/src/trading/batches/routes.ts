import {
  BATCH_SORTS,
  batch,
  exportBatches,
  listActiveBatches,
  listBatches as listBatchesCall,
  listRetryableBatches,
  readBatch as readBatchCall,
  readBatchOrders,
  readBatchSummary,
  readOrdersOfBatch,
  readOrdersSummary,
} from '@dutchbook/contract/batches.ts';
import { readBatchMetrics, readBatchTimeline } from '@dutchbook/contract/execution.ts';
import type * as z from 'zod/mini';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { openFind } from '../../market/opportunities/find.ts';
import { exportRows } from '../../platform/csv/export-rows.ts';
import { sendCsv } from '../../platform/csv/send-csv.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { submissionsOfSteps } from '../chain-steps/store.ts';
import { type BatchState, holdersOf, loadBatch } from '../orders/batch-state.ts';
import { type BatchFilter, type BatchRow, listBatches, pagesOfBatches, readBatch } from '../orders/batch-store.ts';
import { presentSummary } from '../orders/batch-summary.ts';
import { presentOrder } from '../orders/present.ts';
import { presentBatch, presentBatches } from '../orders/present-batch.ts';
import { ordersOfBatches } from '../orders/store.ts';
import { listFolded } from './folded.ts';
import { presentMetrics } from './metrics.ts';
import { timelineOf } from './timeline.ts';

export function registerBatches(
  app: App,
  { runtime, quotes }: { runtime: Runtime; quotes: Pick<Quotes, 'current'> },
): void {
  const { db, clock } = runtime;
  const { lists, exports } = runtime.dbFor;
  const viewer = { db, quotes };
  const many = { db: lists, quotes };

  routeRead(app, listBatchesCall, async ({ query }) => {
    const page = { skip: query.skip, limit: query.limit, sortBy: query.sort_by, sortOrder: query.sort_order };
    const filter = await filterOf(lists, query);
    if (query.folded !== true) {
      const { rows, count } = await listBatches(lists, filter, page);
      return { data: await presentBatches(many, rows), count };
    }
    const { rows, foldedOf, count } = await listFolded(lists, filter, page);
    const data = await presentBatches(many, rows);
    return { data: data.map((row) => ({ ...row, folded: foldedOf.get(row.id) })), count };
  });

  route(app, exportBatches, async ({ query, reply }) => {
    const pages = pagesOfBatches(exports, { ...(await filterOf(exports, query)), ids: query.ids });
    return sendCsv(
      reply,
      'batches',
      runtime,
      exportRows(batch, BATCH_SORTS, pages, (rows) => presentBatches({ db: exports, quotes }, rows)),
    );
  });

  const newest = { skip: 0, sortBy: 'created_at', sortOrder: 'desc' } as const;

  routeRead(app, listActiveBatches, async ({ query }) => {
    const { rows, count } = await listBatches(lists, { isActive: true }, { ...newest, limit: query.limit });
    return { data: await presentBatches(many, rows), count };
  });

  routeRead(app, listRetryableBatches, async ({ query }) => {
    const { rows, count } = await listBatches(lists, { canRetry: true }, { ...newest, limit: query.limit });
    return { data: await presentBatches(many, rows), count };
  });

  route(app, readBatchCall, async ({ params }) => {
    return await presentBatch(viewer, await batchOr404(params.batch_id));
  });

  for (const ordersCall of [readBatchOrders, readOrdersOfBatch]) {
    route(app, ordersCall, async ({ params }) => {
      const row = await batchOr404(params.batch_id);
      const orders = await ordersOfBatches(db, [row.id]);
      return { data: orders.map(presentOrder), count: orders.length };
    });
  }

  for (const summaryCall of [readBatchSummary, readOrdersSummary]) {
    route(app, summaryCall, async ({ params }) => {
      const row = await batchOr404(params.batch_id);
      return presentSummary(row, await ordersOfBatches(db, [row.id]), clock.now());
    });
  }

  route(app, readBatchMetrics, async ({ params }) => {
    return presentMetrics(await stateOr404(params.batch_id));
  });

  route(app, readBatchTimeline, async ({ params }) => {
    const state = await stateOr404(params.batch_id);
    const { targetProfit, actualProfit } = state.batch;
    const stepIds = [...holdersOf(state), ...state.sales].flatMap(({ chainStepId }) => chainStepId ?? []);
    const data = timelineOf(state, await submissionsOfSteps(db, stepIds));
    return { data, predicted_profit_usd: targetProfit, realised_profit_usd: actualProfit };
  });

  async function batchOr404(id: string): Promise<BatchRow> {
    const row = await readBatch(db, id);
    if (!row) throw new NotFound('Batch not found');
    return row;
  }

  async function stateOr404(id: string): Promise<BatchState> {
    const state = await loadBatch(db, id);
    if (state === null) throw new NotFound('Batch not found');
    return state;
  }
}

async function filterOf(db: Db, query: z.output<typeof exportBatches.query>): Promise<BatchFilter> {
  return {
    find: await openFind(db, query.q),
    status: query.status,
    opportunityId: query.opportunity_id,
    venue: query.venue,
    seriesId: query.series_id,
    firstClips: query.first_clips,
    isActive: query.is_active,
    canRetry: query.can_retry,
    unhedged: query.unhedged,
    minOrders: query.min_orders,
    maxOrders: query.max_orders,
  };
}
