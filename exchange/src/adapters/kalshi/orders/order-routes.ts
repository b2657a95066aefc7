import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, flat, NOT_FOUND, nested, ok, page } from '../answers.ts';
import { CALL_COST, CANCEL_COST } from '../budgets.ts';
import { BASE_PATH, type Caller, type CallParts, signedRoute } from '../calls.ts';
import { count, seconds } from '../text.ts';
import type { KalshiVenue } from '../venue.ts';
import type { Refusal, VenueOrder } from './order.ts';
import { type OrderBody, orderBody, readOrder } from './order-body.ts';
import { shardOf, wireOrder, wirePlaced } from './order-shape.ts';

export const ORDERS = '/portfolio/events/orders';
const PAGE_MAX = 1000;
const BATCH_MAX = 100;

const whole = z.coerce.number().int().nonnegative().optional();
const ordersQuery = z.object({
  ticker: z.string().optional(),
  event_ticker: z.string().optional(),
  status: z.enum(['resting', 'canceled', 'executed']).optional(),
  min_ts: whole,
  max_ts: whole,
  subaccount: whole,
  exchange_index: whole,
  limit: whole,
  cursor: z.string().optional(),
});

/** Where an order is looked for; without both fields on shard 0, whatever rests elsewhere. */
const place = { exchange_index: whole, market_ticker: z.string().optional(), subaccount: whole };
const canceledOrder = z.object({
  order_id: z.string(),
  exchange_index: z.int().optional(),
  market_ticker: z.string().optional(),
  subaccount: z.int().optional(),
});
export interface Place {
  readonly exchange_index?: number | undefined;
  readonly market_ticker?: string | undefined;
  readonly subaccount?: number | undefined;
}

export function registerOrders(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  signedRoute(app, parts, {
    ...{ method: 'POST', path: ORDERS, need: 'write::trade', query: z.unknown(), body: orderBody },
    costs: ({ body }) => [{ shard: shardOfTicker(venue, body.ticker), cost: CALL_COST }],
    meets: ({ body }) => [body.ticker],
    answer: (caller, { body }) => create(venue, caller, body),
  });
  signedRoute(app, parts, {
    ...{ method: 'POST', path: `${ORDERS}/batched`, need: 'write::trade', query: z.unknown() },
    body: z.object({ orders: z.array(orderBody).min(1).max(BATCH_MAX) }),
    costs: ({ body }) => summed(body.orders.map(({ ticker }) => [shardOfTicker(venue, ticker), CALL_COST])),
    meets: ({ body }) => body.orders.map(({ ticker }) => ticker),
    answer: (caller, { body }) => ok({ orders: body.orders.map((one) => entry(create(venue, caller, one))) }, 201),
  });
  registerCancels(app, parts);
  for (const [method, path] of OLD_WRITES)
    app.route({
      ...{ method, url: `${BASE_PATH}/portfolio/orders${path}` },
      handler: (_request, reply) => reply.code(410).send(DEPRECATED.body),
    });
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/orders', query: ordersQuery },
    answer: (caller, { query }) => {
      const found = liveOrders(venue, caller).filter((order) => isWanted(venue, order, query));
      const { items, cursor } = page(found, query.cursor, Math.min(query.limit ?? 100, PAGE_MAX, venue.pageMax));
      return ok({ orders: items.map((order) => wireOrder(order, venue)), cursor });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/orders/:id', query: z.unknown() },
    answer: (caller, { params }) => {
      const order = liveOrders(venue, caller).find(({ id }) => id === params.id);
      return order === undefined ? NOT_FOUND : ok({ order: wireOrder(order, venue) });
    },
  });
}

const OLD_WRITES = [
  ['POST', ''],
  ['POST', '/batched'],
  ['POST', '/:id/amend'],
  ['POST', '/:id/decrease'],
  ['DELETE', '/batched'],
  ['DELETE', '/:id'],
] as const;
const DEPRECATED = nested(410, 'deprecated_v1_order_endpoint', 'this endpoint is gone');

function registerCancels(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  signedRoute(app, parts, {
    ...{ method: 'DELETE', path: `${ORDERS}/:id`, need: 'write::trade', query: z.object(place), body: z.unknown() },
    costs: ({ query }) => [{ shard: shardAsked(venue, query), cost: CANCEL_COST }],
    answer: (caller, { params, query }) => cancel(venue, caller, params.id ?? '', query),
  });
  signedRoute(app, parts, {
    ...{ method: 'DELETE', path: `${ORDERS}/batched`, need: 'write::trade', query: z.unknown() },
    body: z.object({ orders: z.array(canceledOrder).min(1).max(BATCH_MAX) }),
    costs: ({ body }) => summed(body.orders.map((one) => [shardAsked(venue, one), CANCEL_COST])),
    answer: (caller, { body }) => {
      const orders = body.orders.map((one) => {
        const { status, body: answered } = cancel(venue, caller, one.order_id, one);
        return status === 200
          ? answered
          : { order_id: one.order_id, reduced_by: '0.00', ts_ms: null, error: errorIn(answered) };
      });
      return ok({ orders });
    },
  });
  signedRoute(app, parts, {
    ...{ method: 'DELETE', path: ORDERS, need: 'write::trade', query: z.object({ subaccount: whole }) },
    body: z.unknown(),
    costs: () => [{ shard: 0, cost: CANCEL_COST }],
    answer: ({ member, key }, { query }) => {
      if (member.kind !== 'direct') return flat(403, 'permission_denied', 'for direct members');
      venue.orders.cancelAll(member, key.subaccount ?? query.subaccount);
      return ok({});
    },
  });
}

function create(venue: KalshiVenue, caller: Caller, body: OrderBody): Answer {
  const wanted = readOrder(body, caller, venue);
  if ('refusal' in wanted) return wanted.refusal;
  const placed = venue.orders.place(wanted);
  if ('refused' in placed) return refusalOf(placed.refused);
  return ok(wirePlaced(placed.order, venue.engine.clock.now()), 201);
}

const REFUSALS: Readonly<Record<Refusal, [status: number, message: string]>> = {
  order_already_exists: [409, 'order already exists'],
  fill_or_kill_insufficient_resting_volume: [409, 'fill or kill insufficient resting volume'],
  trading_is_paused: [409, 'trading is paused'],
  book_out_of_reach: [409, 'trading is paused'],
  exchange_is_paused: [409, 'exchange is paused'],
  insufficient_balance: [400, 'insufficient balance'],
  order_group_triggered: [409, 'order group is triggered'],
  not_found: [404, 'order not found'],
  invalid_order: [400, 'invalid order'],
  AMEND_ORDER_NO_OP: [400, 'the order is like that already'],
};

export function refusalOf(refused: Refusal): Answer {
  const [status, message] = REFUSALS[refused];
  if (refused !== 'book_out_of_reach') return nested(status, refused, message);
  return nested(status, 'trading_is_paused', message, 'the book of the real venue could not be read in time');
}

/** The entry of one order in the answer to a batch: as if it had come alone, or its error. */
function entry({ status, body }: Answer): unknown {
  return status === 201 ? body : { ts_ms: null, error: errorIn(body) };
}

function errorIn(body: unknown): unknown {
  return body !== null && typeof body === 'object' && 'error' in body ? body.error : body;
}

/** An order of the caller that is looked for at this place: on another shard, or in another subaccount, it is not found. */
export function orderAt(venue: KalshiVenue, { member, key }: Caller, id: string, where: Place): VenueOrder | undefined {
  const order = venue.orders.byId(id);
  if (order === undefined || order.member !== member || shardOf(order, venue) !== shardAsked(venue, where))
    return undefined;
  const asked = [key.subaccount, where.subaccount].filter((each) => typeof each === 'number');
  return asked.every((each) => each === order.subaccount) ? order : undefined;
}

export const ORDER_NOT_FOUND = flat(404, 'not_found', 'order not found');

function cancel(venue: KalshiVenue, caller: Caller, id: string, where: Place): Answer {
  const order = orderAt(venue, caller, id, where);
  const reduced = order === undefined ? null : venue.orders.cancel(order);
  if (order === undefined || reduced === null) return ORDER_NOT_FOUND;
  return ok({
    order_id: order.id,
    ...(order.clientId === null ? {} : { client_order_id: order.clientId }),
    reduced_by: count(reduced),
    ts_ms: venue.engine.clock.now(),
  });
}

/** The shard that is named, or that of the market that is named; -1 asks for the latter. */
export function shardAsked(venue: KalshiVenue, { market_ticker, exchange_index }: Place): number {
  if (exchange_index !== undefined && exchange_index !== -1 && market_ticker === undefined) return exchange_index;
  return market_ticker === undefined ? 0 : shardOfTicker(venue, market_ticker);
}

function shardOfTicker(venue: KalshiVenue, ticker: string): number {
  return venue.market(ticker)?.event.series.shard ?? 0;
}

function summed(costs: readonly (readonly [shard: number, cost: number])[]): { shard: number; cost: number }[] {
  const byShard = new Map<number, number>();
  for (const [shard, cost] of costs) byShard.set(shard, (byShard.get(shard) ?? 0) + cost);
  return [...byShard].map(([shard, cost]) => ({ shard, cost }));
}

export function liveOrders(venue: KalshiVenue, caller: Caller): VenueOrder[] {
  return visibleOrders(venue, caller).filter((order) => !isHistory(venue, order));
}

export function isHistory({ historyBefore }: KalshiVenue, { status, updatedAt }: VenueOrder): boolean {
  return status !== 'resting' && updatedAt < historyBefore;
}

/** The orders that reads show, which lag behind the matching engine. */
export function visibleOrders(venue: KalshiVenue, { member, key }: Caller): VenueOrder[] {
  const knownMs = venue.engine.clock.now() - venue.readLagMs;
  return venue.orders
    .of(member)
    .filter((order) => order.createdAt <= knownMs && (key.subaccount === null || order.subaccount === key.subaccount));
}

function isWanted(venue: KalshiVenue, order: VenueOrder, query: z.infer<typeof ordersQuery>): boolean {
  const { ticker, event_ticker, status, min_ts, max_ts, subaccount, exchange_index } = query;
  return (
    (ticker === undefined || ticker === '' || order.ticker === ticker) &&
    (event_ticker === undefined || event_ticker === '' || venue.market(order.ticker)?.event.ticker === event_ticker) &&
    (status === undefined || order.status === status) &&
    (min_ts === undefined || seconds(order.createdAt) >= min_ts) &&
    (max_ts === undefined || seconds(order.createdAt) <= max_ts) &&
    (subaccount === undefined || order.subaccount === subaccount) &&
    (exchange_index === undefined || shardOf(order, venue) === exchange_index)
  );
}
