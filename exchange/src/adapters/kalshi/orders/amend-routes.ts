import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, nested, ok } from '../answers.ts';
import { CALL_COST } from '../budgets.ts';
import { type Caller, type CallParts, signedRoute } from '../calls.ts';
import { count } from '../text.ts';
import type { KalshiVenue } from '../venue.ts';
import type { VenueOrder } from './order.ts';
import { CLIENT_ID, COUNT_TEXT, countIn, invalid, priceIn } from './order-body.ts';
import { liveOrders, ORDER_NOT_FOUND, ORDERS, orderAt, refusalOf, shardAsked } from './order-routes.ts';
import { remaining, wirePlaced } from './order-shape.ts';

const whole = z.coerce.number().int().nonnegative().optional();
const ofSubaccount = z.object({ subaccount: whole });

/** `count` is what is filled and what is to rest; the side and the name are those that the order has. */
const amendBody = z.object({
  ticker: z.string(),
  side: z.enum(['bid', 'ask']),
  price: z.string(),
  count: z.string(),
  client_order_id: z.string().optional(),
  updated_client_order_id: z.string().optional(),
  exchange_index: z.int().optional(),
});
const decreaseBody = z.object({
  reduce_by: z.string().optional(),
  reduce_to: z.string().optional(),
  exchange_index: z.int().optional(),
  market_ticker: z.string().optional(),
});

/** Changes of orders that stand, and where they are in the queue. */
export function registerAmendments(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  signedRoute(app, parts, {
    ...{ method: 'POST', path: `${ORDERS}/:id/amend`, need: 'write::trade', query: ofSubaccount, body: amendBody },
    costs: ({ body }) => [{ shard: shardAsked(venue, placeOf(body)), cost: CALL_COST }],
    meets: ({ body }) => [body.ticker],
    answer: (caller, { params, query, body }) => {
      const order = orderAt(venue, caller, params.id ?? '', { ...placeOf(body), ...query });
      return order === undefined ? ORDER_NOT_FOUND : amend(venue, order, body);
    },
  });
  signedRoute(app, parts, {
    ...{ method: 'POST', path: `${ORDERS}/:id/decrease`, need: 'write::trade', query: ofSubaccount },
    body: decreaseBody,
    costs: ({ body }) => [{ shard: shardAsked(venue, body), cost: CALL_COST }],
    answer: (caller, { params, query, body }) => {
      const order = orderAt(venue, caller, params.id ?? '', { ...body, ...query });
      return order === undefined ? ORDER_NOT_FOUND : decrease(venue, order, body);
    },
  });
  registerQueuePositions(app, parts);
}

function placeOf({ ticker, exchange_index }: z.infer<typeof amendBody>) {
  return exchange_index === undefined || exchange_index === -1 ? { market_ticker: ticker } : { exchange_index };
}

function amend(venue: KalshiVenue, order: VenueOrder, body: z.infer<typeof amendBody>): Answer {
  const market = venue.market(order.ticker);
  if (market === undefined || order.status !== 'resting') return ORDER_NOT_FOUND;
  const { client_order_id: name = order.clientId, updated_client_order_id: clientId = null } = body;
  if (body.ticker !== order.ticker || body.side !== order.side || name !== order.clientId)
    return invalid('ticker, side and client_order_id are not those of the order').refusal;
  if (clientId !== null && !CLIENT_ID.test(clientId))
    return invalid('updated_client_order_id is not of the characters it may have').refusal;
  const price = priceIn(body.price, venue.states.of(market).ranges);
  if (price === null) return nested(400, 'invalid_price', 'invalid price');
  const wanted = countIn(body.count);
  if (wanted === null) return invalid('count is not a positive number with at most two decimals').refusal;
  const amended = venue.orders.amend(order, { price, count: wanted, clientId });
  return 'refused' in amended ? refusalOf(amended.refused) : ok(wirePlaced(order, venue.engine.clock.now()));
}

function decrease(venue: KalshiVenue, order: VenueOrder, body: z.infer<typeof decreaseBody>): Answer {
  const left = leftOf(order, body);
  if (left === 'wrong') return invalid('exactly one of reduce_by and reduce_to, and no more than is left').refusal;
  if (order.status !== 'resting') return ORDER_NOT_FOUND;
  venue.orders.decrease(order, left);
  return ok(wireDecreased(order, venue.engine.clock.now()));
}

export function wireDecreased(order: VenueOrder, atMs: number) {
  return {
    order_id: order.id,
    ...(order.clientId === null ? {} : { client_order_id: order.clientId }),
    remaining_count: count(remaining(order)),
    ts_ms: atMs,
  };
}

/** What a decrease leaves of an order that stands; one to what it has already changes nothing. */
function leftOf(order: VenueOrder, { reduce_by: by, reduce_to: to }: z.infer<typeof decreaseBody>): Shares | 'wrong' {
  const text = by ?? to;
  if (text === undefined || (by === undefined) === (to === undefined) || !COUNT_TEXT.test(text)) return 'wrong';
  const named = sharesFromText(text);
  const left = by === undefined ? named : remaining(order) - named;
  return left < SHARES_ZERO || left > remaining(order) ? 'wrong' : (left as Shares);
}

function registerQueuePositions(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  const query = z.object({
    market_tickers: z.string().max(20_000).optional(),
    event_ticker: z.string().optional(),
    subaccount: whole,
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/orders/queue_positions', query },
    answer: (caller, { query: { market_tickers, event_ticker, subaccount } }) => {
      const tickers = market_tickers ? new Set(market_tickers.split(',')) : null;
      const of = subaccount ?? caller.key.subaccount ?? 0;
      const wanted = liveOrders(venue, caller).filter(
        (order) =>
          order.subaccount === of &&
          (tickers === null || tickers.has(order.ticker)) &&
          (!event_ticker || venue.market(order.ticker)?.event.ticker === event_ticker),
      );
      return ok({ queue_positions: wanted.flatMap((order) => wirePosition(venue, order) ?? []) });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/orders/:id/queue_position', query: z.unknown() },
    answer: (caller: Caller, { params }) => {
      const order = liveOrders(venue, caller).find(({ id }) => id === params.id);
      const position = order === undefined ? null : wirePosition(venue, order);
      return position === null ? ORDER_NOT_FOUND : ok({ queue_position_fp: position.queue_position_fp });
    },
  });
}

/** Where an order that stands is in the queue; null of one that does not. */
export function wirePosition(venue: KalshiVenue, order: VenueOrder) {
  const ahead = venue.orders.queuePosition(order);
  return ahead === null ? null : { order_id: order.id, market_ticker: order.ticker, queue_position_fp: count(ahead) };
}
