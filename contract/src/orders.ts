import * as z from 'zod/mini';
import { submissionPurpose } from './chain-steps.ts';
import { endpoint, notFound } from './endpoint.ts';
import { ORDER_SIDES, ORDER_STATUSES } from './list-values.ts';
import { flagInQuery, id, listOf, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { SIDE_MEANINGS, SIZE_BOUND_MEANINGS } from './notes/meanings.ts';
import { fraction, instant, price, shares, usd } from './quantities.ts';
import { find, idsInQuery, isVenueId } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

export const orderStatus = explained(
  {
    pending: 'recorded, nothing is sent yet',
    processing: 'it was sent, and the venue has not answered',
    open: 'it rests at the venue',
    partially_filled: 'some of it filled and the rest is open',
    filled: 'all of it filled',
    canceled: 'it ended unfilled at the venue, or was taken off it',
    rejected: 'the venue did not take it',
    failed: 'it never reached the venue, or its trades were taken back',
  },
  z.enum(ORDER_STATUSES),
);
export type OrderStatus = z.output<typeof orderStatus>;

export const orderSide = explained(SIDE_MEANINGS, z.enum(ORDER_SIDES));
export type OrderSide = z.output<typeof orderSide>;

const SIZE_BOUNDS = [
  'margin',
  'depth',
  'minimum',
  'clip',
  'loss allowance',
  'price band',
  'cash',
  'approval',
  'order limit',
  'batch limit',
  'day limit',
  'exposure',
  'sign-off',
  'clips',
] as const;

export const sizeBound = explained(SIZE_BOUND_MEANINGS, z.enum(SIZE_BOUNDS));

/** Marks an order that was placed although its price had moved, within the allowed deviation. */
export const PRICE_CHANGED_MARKER = '[PRICE_CHANGED_SUCCESS]';
/** Marks a warning on an order that nevertheless stands. */
export const SUCCESS_MARKER = '[SUCCESS]';

/** An order that was sent and of which the venue has not said whether it has it: neither placed nor failed. */
const doubt = z.object({
  since: described('When its bytes may have left.', instant),
  order_hash: described('What the venue calls it.', z.string()),
  asked_at: described('When the venue was last asked about it; null before.', z.nullable(instant)),
  question: described('What the venue is asked.', z.string()),
  answer: described('What the venue answered last, or why nothing is known.', z.nullable(z.string())),
});

const waiting = z.object({
  until: described(
    'When it is taken off the book at the latest; null: it waits until it is canceled.',
    z.nullable(instant),
  ),
  cancel_requested_at: described('When its end was asked for; null before.', z.nullable(instant)),
  cancel_reason: described(
    'Why its end was asked for; null where it was not.',
    z.nullable(
      explained({ canceled: 'a user canceled it', disarmed: 'trading was disarmed' }, z.enum(['canceled', 'disarmed'])),
    ),
  ),
});

export const order = z.object({
  id,
  batch_id: id,
  batch_name: described(
    'What its opportunity was called when the batch was placed; null for batches of before names.',
    z.nullable(z.string()),
  ),
  opportunity_id: id,
  leg: z.int(),
  status: orderStatus,
  market_id: z.string(),
  market_name: z.string(),
  token_id: z.string(),
  side: orderSide,
  outcome: z.string(),
  size: shares,
  size_bounded_by: described(
    'Of a buy: what kept the size of its batch from being larger; null where a person decided on it.',
    z.nullable(sizeBound),
  ),
  price: described('The worst price that the order accepts.', price),
  filled_size: shares,
  average_price: z.nullable(price),
  fee: usd,
  sold_size: described('Of a buy: how many of its shares have been sold.', shares),
  sells_order_id: described('Of a sell: the order whose shares it sells.', z.nullable(id)),
  chain_step_id: described(
    'The call of a contract that converts these shares into dollars, or that handed them out; null where they are traded.',
    z.nullable(id),
  ),
  submission_id: described('What that call is submitted in, and what for; null where they are traded.', z.nullable(id)),
  submission_purpose: described(
    'What that call is submitted for; null where they are traded.',
    z.nullable(submissionPurpose),
  ),
  simulated: z.boolean(),
  attempts: described('How many signed orders were sent for it.', z.int()),
  doubt: described(
    'What is known of an attempt whose outcome the venue has not said; null where there is none.',
    z.nullable(doubt),
  ),
  waiting: described(
    'Of a sell that waits in the book at its price instead of being filled at once or dropped; null of every other order.',
    z.nullable(waiting),
  ),
  error: z.nullable(z.string()),
  created_at: instant,
  updated_at: instant,
});
export type Order = z.output<typeof order>;

export const ORDER_SORTS = sortsOf(order, 'doubt', 'waiting');

/** How well a batch was filled. */
export const batchSummary = z.object({
  success_rate: described('Orders that filled, over all.', fraction),
  average_order_value: described('Average cost of an order; null while none filled.', z.nullable(usd)),
  execution_time_seconds: described(
    'Seconds from the first order to the end of the last; null until then.',
    z.nullable(z.number()),
  ),
});
export type BatchSummary = z.output<typeof batchSummary>;

/** The orders of one batch, with `include_batch_summary` also its summary. */
const orderGroup = z.object({
  batch_id: id,
  orders: z.array(order),
  summary: described('How well the batch was filled; with `include_batch_summary` only.', z.optional(batchSummary)),
});
export type OrderGroup = z.output<typeof orderGroup>;

/** `updated`: orders that show something else since the venue was asked. */
export const ordersUpdated = z.object({
  message: z.string(),
  updated: described('How many orders show something else since the venue was asked.', z.int()),
});
export type OrdersUpdated = z.output<typeof ordersUpdated>;

const tag = 'Orders';

const orderFilter = {
  q: described('By the beginning of an id, by its market, and as opportunities are found.', find),
  opportunity_id: z.optional(id),
  status: z.optional(orderStatus),
  batch_id: z.optional(id),
  venue: described('Only orders at this venue.', z.optional(venueName)),
  side: z.optional(orderSide),
  market_id: z.optional(z.string().check(z.minLength(1), z.maxLength(100), isVenueId)),
  has_error: described('Only orders with an error, or only those without.', z.optional(flagInQuery)),
  unknown: described('Whether the venue has not said yet whether it has the order.', z.optional(flagInQuery)),
};

export const listOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/orders',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'List batch orders',
  query: z.object({
    ...page,
    ...orderFilter,
    group_by_batch: described(
      'Pages then count batches, which stand in the order of their first matching order.',
      z._default(flagInQuery, false),
    ),
    include_batch_summary: described('Whether each group has its `summary`.', z._default(flagInQuery, false)),
    sort_by: z._default(sortBy(ORDER_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: z.union([listOf(order), listOf(orderGroup)]),
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/orders/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'Export batch orders as a CSV file',
  query: z.object({ ...orderFilter, ids: z.optional(idsInQuery) }),
  reply: z.string(),
});

export const readOrder = endpoint({
  method: 'GET',
  path: '/arbitrage/orders/{order_id}',
  access: 'viewer',
  tag,
  summary: 'Read a batch order',
  refusals: [notFound('Order not found')],
  params: z.object({ order_id: id }),
  reply: order,
});

export const updateOrderStatuses = endpoint({
  method: 'POST',
  path: '/arbitrage/orders/update-status',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Ask the venue now about every order that has not ended, of one opportunity or of all',
  query: z.object({ opportunity_id: z.optional(id) }),
  reply: ordersUpdated,
});
