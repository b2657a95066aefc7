import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { find, idsInQuery } from './finding.ts';
import { BATCH_STATUSES } from './list-values.ts';
import { countInQuery, flagInQuery, id, listOf, page, sortOrder, sortsOf } from './listing.ts';
import { batchSummary, order, ordersUpdated } from './orders.ts';
import { instant, setPrice, shares, usd } from './quantities.ts';

const batchStatus = z.enum(BATCH_STATUSES);
export type BatchStatus = z.output<typeof batchStatus>;

/** Shares held of some positions and not of the others: what is at risk until the rest fills or this is sold. */
const unhedged = z.object({
  positions: z.array(z.object({ order_id: id, market_name: z.string(), outcome: z.string(), shares, usd })),
  worst_loss_usd: usd,
  /** What selling these shares at the bids of now would lose, fees included; null while a book is not known. */
  unwind_cost_usd: z.nullable(usd),
  /** Since when some positions hold shares that the others lack. */
  since: instant,
});

export const batch = z.object({
  id,
  opportunity_id: id,
  status: batchStatus,
  total_orders: z.int(),
  expected_orders: z.int(),
  order_size: shares,
  target_price: setPrice,
  target_profit_usd: usd,
  actual_profit_usd: z.nullable(usd),
  retry_count: z.int(),
  max_retries: z.int(),
  can_retry: z.boolean(),
  is_active: z.boolean(),
  is_final: z.boolean(),
  /** A person, or disarming, has asked for its end: nothing of it leaves any more. */
  cancel_requested: z.boolean(),
  /** Orders of which the venue has not said whether it has them. */
  orders_in_doubt: z.int(),
  simulated: z.boolean(),
  automatic: z.boolean(),
  unhedged: z.nullable(unhedged),
  execution_started_at: z.nullable(instant),
  execution_completed_at: z.nullable(instant),
  created_at: instant,
  updated_at: instant,
  last_error: z.nullable(z.string()),
});
export type Batch = z.output<typeof batch>;

export const BATCH_SORTS = sortsOf(batch, 'unhedged');

const byId = z.object({ batch_id: id });
const limitOnly = z.object({ limit: page.limit });
const tag = 'Batches';

const batchFilter = {
  /** By the beginning of an id, by a market of its orders, and as opportunities are found. */
  q: find,
  status: z.optional(batchStatus),
  opportunity_id: z.optional(id),
  is_active: z.optional(flagInQuery),
  can_retry: z.optional(flagInQuery),
  /** Whether shares of some positions are held without the others; what the dashboard counts as exposure. */
  unhedged: z.optional(flagInQuery),
  min_orders: z.optional(countInQuery),
  max_orders: z.optional(countInQuery),
};

export const listBatches = endpoint({
  method: 'GET',
  path: '/arbitrage/batches',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'List batches',
  query: z.object({
    ...page,
    ...batchFilter,
    sort_by: z._default(z.enum(BATCH_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(batch),
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportBatches = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'Export batches as a CSV file',
  query: z.object({ ...batchFilter, ids: z.optional(idsInQuery) }),
  reply: z.string(),
});

export const readBatch = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}',
  access: 'viewer',
  tag,
  summary: 'Read a batch',
  params: byId,
  reply: batch,
});

export const readBatchOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/orders',
  access: 'viewer',
  tag,
  summary: "A batch's orders",
  params: byId,
  reply: listOf(order),
});

export const readBatchSummary = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/summary',
  access: 'viewer',
  tag,
  summary: "A batch's success, order value and duration",
  params: byId,
  reply: batchSummary,
});

/** The same two reads under the path that clients of the order calls use. */
export const readOrdersOfBatch = endpoint({
  ...readBatchOrders,
  path: '/arbitrage/orders/batch/{batch_id}',
  tag: 'Orders',
});

export const readOrdersSummary = endpoint({
  ...readBatchSummary,
  path: '/arbitrage/orders/batch/{batch_id}/summary',
  tag: 'Orders',
});

export const listActiveBatches = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/active/list',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'List the batches that are being worked on, newest first',
  query: limitOnly,
  reply: listOf(batch),
});

export const listRetryableBatches = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/retryable/list',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'List the batches that can be retried, newest first',
  query: limitOnly,
  reply: listOf(batch),
});

export const retryBatch = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/retry',
  access: 'user',
  tag,
  summary: 'Buy what a batch lacks, if that still pays',
  asksVenue: true,
  idempotent: true,
  params: byId,
  reply: batch,
});

export const cancelBatch = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/cancel',
  access: 'user',
  stops: true,
  tag,
  summary: 'Take the open orders of a batch off the venue; what was filled is kept',
  idempotent: true,
  params: byId,
  reply: batch,
});

export const reconcileBatch = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/reconcile',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Ask the venue now about every order of a batch that has not ended',
  params: byId,
  reply: ordersUpdated,
});
