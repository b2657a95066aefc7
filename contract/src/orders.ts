import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, listOf, page, sortOrder } from './listing.ts';
import { instant, price, shares, usd } from './quantities.ts';

const orderStatus = z.enum([
  'pending',
  'processing',
  'open',
  'partially_filled',
  'filled',
  'canceled',
  'rejected',
  'failed',
]);
export type OrderStatus = z.output<typeof orderStatus>;

/** Marks an order that was placed although its price had moved, within the allowed deviation. */
export const PRICE_CHANGED_MARKER = '[PRICE_CHANGED_SUCCESS]';
/** Marks a warning on an order that nevertheless stands. */
export const SUCCESS_MARKER = '[SUCCESS]';

export const order = z.object({
  id,
  batch_id: id,
  opportunity_id: id,
  leg: z.int(),
  status: orderStatus,
  market_id: z.string(),
  market_name: z.string(),
  token_id: z.string(),
  side: z.enum(['buy', 'sell']),
  outcome: z.string(),
  size: shares,
  price,
  filled_size: shares,
  average_price: z.nullable(price),
  fee: usd,
  simulated: z.boolean(),
  attempts: z.int(),
  error: z.nullable(z.string()),
  created_at: instant,
  updated_at: instant,
});
export type Order = z.output<typeof order>;

export const ORDER_SORTS = [
  'id',
  'batch_id',
  'opportunity_id',
  'leg',
  'status',
  'market_id',
  'market_name',
  'token_id',
  'side',
  'outcome',
  'size',
  'price',
  'filled_size',
  'fee',
  'error',
  'created_at',
  'updated_at',
] as const;

const tag = 'Orders';

export const listOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/orders',
  access: 'user',
  tag,
  summary: 'List batch orders',
  query: z.object({
    ...page,
    opportunity_id: z.optional(id),
    status: z.optional(orderStatus),
    batch_id: z.optional(id),
    sort_by: z._default(z.enum(ORDER_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(order),
});

export const readOrder = endpoint({
  method: 'GET',
  path: '/arbitrage/orders/{order_id}',
  access: 'user',
  tag,
  summary: 'Read a batch order',
  params: z.object({ order_id: id }),
  reply: order,
});
