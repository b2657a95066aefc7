/** How a batch was carried out: how well and how fast it filled, and what happened when. */
import * as z from 'zod/mini';
import { endpoint, notFound } from './endpoint.ts';
import { id } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { SIDE_MEANINGS } from './notes/meanings.ts';
import { instant, price, shares, usd } from './quantities.ts';

const byId = z.object({ batch_id: id });
const tag = 'Batches';

/** `slippage_usd` is what the fills cost beyond what was expected, before fees. Times are from the decision, as those of the timeline and of the report. */
const fillMetrics = {
  filled_usd: described('Cost of what was filled, before fees.', usd),
  fees_usd: usd,
  slippage_usd: described('Dollars that the fills cost beyond what was expected, before fees.', usd),
  first_fill_ms: described('Milliseconds from the decision to the first fill; null before it.', z.nullable(z.number())),
  last_fill_ms: described('Milliseconds from the decision to the last fill; null before one.', z.nullable(z.number())),
};

const batchMetrics = z.object({
  ...fillMetrics,
  fees_usd: described('Fees of all its orders: of what it bought, and of what it sold of that.', usd),
  predicted_profit_usd: described('Profit that was predicted when the batch was placed, after fees.', usd),
  realised_profit_usd: described('Profit of what was filled, after fees; null until something was.', z.nullable(usd)),
  per_order: described(
    'The figures of each order.',
    z.array(
      z.object({
        order_id: described('The order it happened to; null for the batch as a whole.', id),
        filled_size: shares,
        average_price: z.nullable(price),
        ...fillMetrics,
      }),
    ),
  ),
});
export type BatchMetrics = z.output<typeof batchMetrics>;

export const readBatchMetrics = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/metrics',
  access: 'viewer',
  tag,
  summary: 'What a batch cost, how far from its plan, and how fast it filled',
  refusals: [notFound('Batch not found')],
  params: byId,
  reply: batchMetrics,
});

/**
 * What happened to a batch as a whole, or to one of its orders where an event names one. `conversion_`: to a call of a contract that
 * converts its shares into dollars; the detail holds the hash of the transaction.
 */
const timelineEvent = explained(
  {
    decided: 'the batch was recorded',
    retry_requested: 'a retry was asked for',
    cancel_requested: 'its end was asked for',
    sale_decided: 'a sale was recorded',
    committed: 'an order was signed and recorded before it is sent',
    sent: 'an order may have left',
    acknowledged: 'the venue has the order',
    refused: 'the venue has rejected the order',
    in_doubt: 'the venue has not said whether it has the order',
    never_sent: 'the order did not leave',
    filled: 'a trade was reported',
    settled: 'a trade was confirmed',
    settlement_failed: 'a trade was taken back',
    order_canceled: 'an order was taken off the venue',
    completed: 'the batch ended with as much filled as BATCH_MIN_SUCCESS_RATE asks for',
    partial_completed: 'the batch ended with something filled, but less than that',
    failed: 'the batch ended with nothing filled',
    canceled: 'the batch was canceled',
    sold: 'nothing of it is held any more: it was sold, converted into dollars or redeemed, as `detail` says',
    conversion_planned: 'a call of a contract was recorded that converts shares into dollars',
    conversion_sent: 'that call was sent',
    conversion_unknown: 'it is not known whether that call arrived',
    conversion_mined: 'that call is in a block',
    conversion_confirmed: 'that call is final',
    conversion_failed: 'that call did nothing',
  },
  z.enum([
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
    'conversion_planned',
    'conversion_sent',
    'conversion_unknown',
    'conversion_mined',
    'conversion_confirmed',
    'conversion_failed',
  ]),
);
export type TimelineEvent = z.output<typeof timelineEvent>;

export const timelineEntry = z.object({
  at: instant,
  event: described('What happened.', timelineEvent),
  order_id: described('The order it happened to; null for the batch as a whole.', z.nullable(id)),
  leg: z.nullable(z.int()),
  market_name: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  side: z.nullable(explained(SIDE_MEANINGS, z.enum(['buy', 'sell']))),
  size: z.nullable(shares),
  price: z.nullable(price),
  detail: described('A sentence: why, or what the venue said.', z.nullable(z.string())),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

export const readBatchTimeline = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/timeline',
  access: 'viewer',
  tag,
  summary: 'What happened to a batch and its orders, oldest first',
  refusals: [notFound('Batch not found')],
  params: byId,
  reply: z.object({
    data: z.array(timelineEntry),
    predicted_profit_usd: described('Profit that was predicted when the batch was placed, after fees.', usd),
    realised_profit_usd: described('Profit of what was filled, after fees; null until something was.', z.nullable(usd)),
  }),
});
