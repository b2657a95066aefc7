import * as z from 'zod/mini';
import { endpoint, notFound, refusal, SIGN_OFF_ASKED } from './endpoint.ts';
import { BATCH_STATUSES } from './list-values.ts';
import { countInQuery, flagInQuery, id, listOf, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { batchSummary, order, ordersUpdated, sizeBound } from './orders.ts';
import { inQuery, instant, setPrice, shares, usd } from './quantities.ts';
import { find, idsInQuery } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

const batchStatus = explained(
  {
    pending: 'recorded, nothing is sent yet',
    processing: 'its orders are being worked on',
    completed: 'as many of its shares filled as BATCH_MIN_SUCCESS_RATE asks for',
    sold: 'what it bought was sold, converted or redeemed',
    partial_completed: 'it ended with something filled, but less than BATCH_MIN_SUCCESS_RATE asks for',
    failed: 'it ended with nothing filled',
    canceled: 'its open orders were taken off the venue',
    retry_pending: 'a retry was asked for and has not begun',
  },
  z.enum(BATCH_STATUSES),
);
export type BatchStatus = z.output<typeof batchStatus>;

/** Shares held of some positions and not of the others: what is at risk until the rest fills or this is sold. */
const unhedged = z.object({
  positions: described(
    'The shares that are held of them.',
    z.array(
      z.object({
        order_id: id,
        market_name: z.string(),
        outcome: z.string(),
        shares,
        usd: described('What they cost.', usd),
      }),
    ),
  ),
  worst_loss_usd: described('What is lost at worst if these shares are held and pay nothing.', usd),
  unwind_cost_usd: described(
    'What selling these shares at the bids of now would lose, fees included; null while a book is not known.',
    z.nullable(usd),
  ),
  can_finish: described(
    'Whether finishing the set may be asked for as the batch is: it is not being worked on, none of its shares are or were sold, and its opportunity exists.',
    z.boolean(),
  ),
  finish: described(
    'Buying what the sets that are held in part lack, and nothing beyond; null where it cannot be done or a book is not of now.',
    z.nullable(
      z.object({
        cost_usd: described('What the missing shares cost at the asks of now, fees included.', usd),
        at_most_usd: described('What their orders take at most, all of them filled at their limit prices.', usd),
        pays_usd: described('What the completed sets pay when they settle.', usd),
        loss_usd: described(
          'What is lost in all: this cost and what the unhedged shares cost, less what the sets pay; below zero it is a gain.',
          usd,
        ),
      }),
    ),
  ),
  finish_refusal: described(
    'Why the set cannot be finished now, as a sentence; null where it can.',
    z.nullable(z.string()),
  ),
  cheaper: described(
    'Which of the two loses less; null where one is not known or both lose as much.',
    z.nullable(
      explained(
        {
          finish: 'finishing the set loses less than unwinding',
          unwind: 'unwinding loses less than finishing the set',
        },
        z.enum(['finish', 'unwind']),
      ),
    ),
  ),
  since: described('Since when some positions hold shares that the others lack.', instant),
});

export const batch = z.object({
  id,
  opportunity_id: id,
  name: described(
    'What its opportunity was called when it was placed; null of one that an earlier version has placed.',
    z.nullable(z.string()),
  ),
  venues: described('The venues at which it has orders.', z.array(venueName)),
  status: batchStatus,
  total_orders: described('How many orders it has.', z.int()),
  expected_orders: described('How many orders it needs, one for each position.', z.int()),
  order_size: shares,
  size_bounded_by: described(
    'What kept its size from being larger, or of the smallest from being smaller; null where a person said the size.',
    z.nullable(sizeBound),
  ),
  series_id: described(
    'The id of the first of the clips in which its opportunity was bought; null where it was not bought in clips.',
    z.nullable(id),
  ),
  clip_number: described(
    'Its place among those clips, from 1; null where it is none, or was placed by a version that did not count them.',
    z.nullable(z.int()),
  ),
  clips_max: described(
    'CLIPS_MAX when it was placed, which is how many clips its series may have; null where it is no clip.',
    z.nullable(z.int()),
  ),
  target_price: setPrice,
  target_profit_usd: described('Profit that was predicted when it was placed, after fees.', usd),
  actual_profit_usd: z.nullable(usd),
  retry_count: described('How often it was retried.', z.int()),
  max_retries: described('How often it may be retried.', z.int()),
  can_retry: described('Whether it can be retried now.', z.boolean()),
  is_active: z.boolean(),
  is_final: described('Whether nothing of it changes any more.', z.boolean()),
  cancel_requested: described(
    'A person, or disarming, has asked for its end: nothing of it leaves any more.',
    z.boolean(),
  ),
  orders_in_doubt: described('Orders of which the venue has not said whether it has them.', z.int()),
  simulated: z.boolean(),
  automatic: z.boolean(),
  unhedged: described(
    'Shares of some positions that the other positions lack; null where there are none.',
    z.nullable(unhedged),
  ),
  dollars_free_since: described(
    'Since when its dollars are free for other orders, as it waits for the pace of the venue; every gate is asked again before it leaves. Null where they are reserved, or it has left.',
    z.nullable(instant),
  ),
  execution_started_at: described('When its first order was sent; null before.', z.nullable(instant)),
  execution_completed_at: described('When its last order ended; null before.', z.nullable(instant)),
  created_at: instant,
  updated_at: instant,
  last_error: z.nullable(z.string()),
});
export type Batch = z.output<typeof batch>;

/** All batches of an opportunity that match; no dollar of a simulated one is in the sums. */
const folded = z.object({
  count: described('How many batches the row stands for, itself among them.', z.int()),
  simulated: described('How many of them are simulated; no dollar of those is in the sums.', z.int()),
  statuses: described(
    'How many are in each status, of those that any is in.',
    z.array(z.object({ status: batchStatus, count: described('How many.', z.int()) })),
  ),
  total_orders: described('How many orders they have.', z.int()),
  expected_orders: described('How many orders they need.', z.int()),
  retry_count: described('How often they were retried.', z.int()),
  cost_usd: described('What their buys cost, fees included.', usd),
  target_profit_usd: described('Profit that was predicted when they were placed, after fees.', usd),
  actual_profit_usd: described('What they have made, as each of them says; null where none does.', z.nullable(usd)),
  paid_usd: described('Of that, what batches have made that are sold, converted or redeemed.', usd),
  locked_usd: described('Of that, what batches pay that hold whole sets and nothing beyond.', usd),
  at_risk_usd: described(
    'Of that, the worst case of batches that hold shares of some positions without the others.',
    usd,
  ),
  first_at: described('When the oldest of them was placed.', instant),
});

const listedBatch = z.extend(batch, {
  folded: described('What the row stands for; only where `folded` is asked for.', z.optional(folded)),
});
export type ListedBatch = z.output<typeof listedBatch>;

export const BATCH_SORTS = sortsOf(batch, 'unhedged', 'venues');

const byId = z.object({ batch_id: id });
const limitOnly = z.object({ limit: page.limit });
const tag = 'Batches';

const batchFilter = {
  q: described('By the beginning of an id, by a market of its orders, and as opportunities are found.', find),
  status: z.optional(batchStatus),
  opportunity_id: z.optional(id),
  venue: described('Only batches with an order at this venue.', z.optional(venueName)),
  series_id: described('Only the clips of that series.', z.optional(id)),
  first_clips: described(
    'Of a series only its first clip, beside batches that are no clips; or only later clips.',
    z.optional(flagInQuery),
  ),
  is_active: z.optional(flagInQuery),
  can_retry: described('Only batches that can be retried, or only the others.', z.optional(flagInQuery)),
  unhedged: described(
    'Whether shares of some positions are held without the others; what the dashboard counts as exposure.',
    z.optional(flagInQuery),
  ),
  min_orders: described('Only batches of at least so many orders.', z.optional(countInQuery)),
  max_orders: described('Only batches of at most so many orders.', z.optional(countInQuery)),
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
    folded: described(
      'Answers one row, the newest, for all matching batches of an opportunity, sorted by the sums where it has them. Of the newest 1,000 that match.',
      z.optional(flagInQuery),
    ),
    sort_by: z._default(sortBy(BATCH_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(listedBatch),
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
  refusals: [notFound('Batch not found')],
  params: byId,
  reply: batch,
});

export const readBatchOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/orders',
  access: 'viewer',
  tag,
  summary: "A batch's orders",
  refusals: [notFound('Batch not found')],
  params: byId,
  reply: listOf(order),
});

export const readBatchSummary = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/summary',
  access: 'viewer',
  tag,
  summary: "A batch's success, order value and duration",
  refusals: [notFound('Batch not found')],
  params: byId,
  reply: batchSummary,
});

/** These two reads, under the path that clients of the order calls use. */
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
  refusals: [
    notFound('Batch not found'),
    refusal(
      409,
      'The batch cannot be retried now, or a gate refuses it; `detail` says why.',
      'The batch is processing and cannot be retried',
    ),
    SIGN_OFF_ASKED,
  ],
  asksVenue: true,
  idempotent: true,
  params: byId,
  reply: batch,
});

export const finishSet = endpoint({
  ...retryBatch,
  path: '/arbitrage/batches/{batch_id}/finish-set',
  summary: 'Buy what makes whole sets of the unhedged shares of a batch and nothing beyond, also at a loss',
  refusals: [
    notFound('Batch not found'),
    refusal(
      409,
      'Its sets cannot be finished now; `detail` says why.',
      'The batch is completed and cannot be retried.',
    ),
    refusal(
      409,
      'It holds no unhedged shares.',
      'No set is to be finished: all that the batch holds is in whole sets.',
    ),
    SIGN_OFF_ASKED,
  ],
  query: z.object({
    up_to_usd: described(
      'The most that its orders may take, with fees: `unhedged.finish.at_most_usd` of the batch as it was looked at.',
      inQuery(usd).check(z.refine((most) => most > 0, 'up_to_usd must be greater than 0')),
    ),
  }),
});

export const cancelBatch = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/cancel',
  access: 'user',
  stops: true,
  tag,
  summary: 'Take the open orders of a batch off the venue; what was filled is kept',
  refusals: [
    notFound('Batch not found'),
    refusal(409, 'The batch has ended.', 'The batch is completed and cannot be canceled'),
  ],
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
  refusals: [notFound('Batch not found')],
  params: byId,
  reply: ordersUpdated,
});
