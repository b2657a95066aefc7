/** How a batch was carried out: how well and how fast it filled, and what happened when. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';
import { instant, price, shares, usd } from './quantities.ts';

const byId = z.object({ batch_id: id });
const tag = 'Batches';

/** `slippage_usd` is what the fills cost beyond what was expected, before fees. Times are from the start of execution. */
const fillMetrics = {
  filled_usd: usd,
  fees_usd: usd,
  slippage_usd: usd,
  first_fill_ms: z.nullable(z.number()),
  last_fill_ms: z.nullable(z.number()),
};

const batchMetrics = z.object({
  ...fillMetrics,
  predicted_profit_usd: usd,
  realised_profit_usd: z.nullable(usd),
  per_order: z.array(z.object({ order_id: id, filled_size: shares, average_price: z.nullable(price), ...fillMetrics })),
});
export type BatchMetrics = z.output<typeof batchMetrics>;

export const readBatchMetrics = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/metrics',
  access: 'viewer',
  tag,
  summary: 'What a batch cost, how far from its plan, and how fast it filled',
  params: byId,
  reply: batchMetrics,
});

/**
 * What happened to a batch as a whole, or to one of its orders where an event names one. `turn_`: to a call of a contract that
 * turns its shares into dollars; the detail holds the hash of the transaction.
 */
const timelineEvent = z.enum([
  'decided',
  'retry_requested',
  'cancel_requested',
  'sale_decided',
  'committed',
  'sent',
  'acknowledged',
  'refused',
  'in_doubt',
  'never_sent',
  'filled',
  'settled',
  'settlement_failed',
  'order_canceled',
  'completed',
  'partial_completed',
  'failed',
  'canceled',
  'sold',
  'turn_planned',
  'turn_sent',
  'turn_unknown',
  'turn_mined',
  'turn_confirmed',
  'turn_failed',
]);
export type TimelineEvent = z.output<typeof timelineEvent>;

export const timelineEntry = z.object({
  at: instant,
  event: timelineEvent,
  order_id: z.nullable(id),
  leg: z.nullable(z.int()),
  market_name: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  side: z.nullable(z.enum(['buy', 'sell'])),
  size: z.nullable(shares),
  price: z.nullable(price),
  /** A sentence: why, or what the venue said. */
  detail: z.nullable(z.string()),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

export const readBatchTimeline = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/timeline',
  access: 'viewer',
  tag,
  summary: 'What happened to a batch and its orders, oldest first',
  params: byId,
  reply: z.object({
    data: z.array(timelineEntry),
    predicted_profit_usd: usd,
    realised_profit_usd: z.nullable(usd),
  }),
});
