import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { countInQuery, flagInQuery, id, listOf, page, sortOrder } from './listing.ts';
import { order } from './orders.ts';
import { fraction, instant, setPrice, shares, usd } from './quantities.ts';

const batchStatus = z.enum([
  'pending',
  'processing',
  'completed',
  'sold',
  'partial_completed',
  'failed',
  'canceled',
  'retry_pending',
]);
export type BatchStatus = z.output<typeof batchStatus>;

/** Shares held of some positions and not of the others: what is at risk until the rest fills or this is sold. */
const unhedged = z.object({
  positions: z.array(z.object({ order_id: id, market_name: z.string(), outcome: z.string(), shares, usd })),
  worst_loss_usd: usd,
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

const batchSummary = z.object({
  success_rate: fraction,
  average_order_value: z.nullable(usd),
  execution_time_seconds: z.nullable(z.number()),
});
export type BatchSummary = z.output<typeof batchSummary>;

export const BATCH_SORTS = [
  'id',
  'opportunity_id',
  'status',
  'total_orders',
  'expected_orders',
  'target_profit_usd',
  'actual_profit_usd',
  'retry_count',
  'max_retries',
  'execution_started_at',
  'execution_completed_at',
  'created_at',
  'updated_at',
  'last_error',
] as const;

const byId = z.object({ batch_id: id });
const tag = 'Batches';

export const listBatches = endpoint({
  method: 'GET',
  path: '/arbitrage/batches',
  access: 'user',
  tag,
  summary: 'List batches',
  query: z.object({
    ...page,
    status: z.optional(batchStatus),
    opportunity_id: z.optional(id),
    is_active: z.optional(flagInQuery),
    can_retry: z.optional(flagInQuery),
    min_orders: z.optional(countInQuery),
    max_orders: z.optional(countInQuery),
    sort_by: z._default(z.enum(BATCH_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(batch),
});

export const readBatch = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}',
  access: 'user',
  tag,
  summary: 'Read a batch',
  params: byId,
  reply: batch,
});

export const readBatchOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/orders',
  access: 'user',
  tag,
  summary: "A batch's orders",
  params: byId,
  reply: listOf(order),
});

export const readBatchSummary = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/summary',
  access: 'user',
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
