import type { Instant } from '@dutchbook/units/instant.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { limited, visibleFills } from './account/account-part.ts';
import { positionsAnswer } from './account/positions.ts';
import { MARKET_NOT_FOUND, ok, page } from './answers.ts';
import { type CallParts, publicGet, signedRoute } from './calls.ts';
import { MARKETS_PAGE_MAX, marketsQuery } from './listing-queries.ts';
import { wireMarket } from './market-shape.ts';
import { isHistory, visibleOrders } from './orders/order-routes.ts';
import { wireFill, wireOrder } from './orders/order-shape.ts';
import { clamped, isWantedMarket, tradesAnswer, tradesQuery } from './public-routes.ts';
import { seconds, time } from './text.ts';

const whole = z.coerce.number().int().nonnegative().optional();
const query = z.object({
  ticker: z.string().optional(),
  min_ts: whole,
  max_ts: whole,
  limit: whole,
  cursor: z.string().optional(),
});

/** Markets paid, and trades made, so long ago that the current lists leave them out. */
export function registerPublicHistory(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  publicGet(app, parts, '/historical/markets', marketsQuery, ({ query: asked }) => {
    const found = venue
      .allMarkets()
      .filter((market) => venue.isArchived(market) && isWantedMarket(venue, market, asked));
    const { items, cursor } = page(found, asked.cursor, clamped(venue, asked.limit, MARKETS_PAGE_MAX));
    return ok({ markets: items.map((market) => wireMarket(venue, market)), cursor });
  });
  publicGet(app, parts, '/historical/markets/:ticker', z.unknown(), ({ params }) => {
    const market = venue.market(params.ticker ?? '');
    return market !== undefined && venue.isArchived(market)
      ? ok({ market: wireMarket(venue, market) })
      : MARKET_NOT_FOUND;
  });
  publicGet(app, parts, '/historical/trades', tradesQuery, ({ query: asked }) =>
    tradesAnswer(venue, asked, ({ at }) => at < venue.historyBefore),
  );
}

/** Members' orders, fills and positions that are too old for the current lists. */
export function registerHistory(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  publicGet(app, parts, '/historical/cutoff', z.unknown(), () => {
    const before = time(venue.historyBefore);
    return ok({
      ...{ market_settled_ts: before, trades_created_ts: before, orders_updated_ts: before },
      market_positions_last_updated_ts: before,
    });
  });
  const read = { method: 'GET', need: 'read', query, body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ ...read, path: '/historical/positions' },
    query: query.extend({ event_ticker: z.string().optional(), subaccount: whole }),
    answer: (caller, { query: asked }) => positionsAnswer(venue, caller, asked, (market) => venue.isArchived(market)),
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/historical/orders' },
    answer: (caller, { query: asked }) => {
      const found = visibleOrders(venue, caller).filter(
        (order) => isHistory(venue, order) && isWanted(order.ticker, order.createdAt, asked),
      );
      const { items, cursor } = page(found, asked.cursor, limited(venue, asked.limit));
      return ok({ orders: items.map((order) => wireOrder(order, venue)), cursor });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/historical/fills' },
    answer: (caller, { query: asked }) => {
      const found = visibleFills(venue, caller).filter(
        ({ order, at }) => at < venue.historyBefore && isWanted(order.ticker, at, asked),
      );
      const { items, cursor } = page(found, asked.cursor, limited(venue, asked.limit));
      return ok({ fills: items.map((fill) => wireFill(fill, venue)), cursor });
    },
  });
}

function isWanted(of: string, at: Instant, { ticker, min_ts, max_ts }: z.infer<typeof query>): boolean {
  const second = seconds(at);
  return (!ticker || of === ticker) && second >= (min_ts ?? 0) && second <= (max_ts ?? second);
}
