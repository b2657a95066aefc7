import { complement } from '@dutchbook/units/price.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { flat, MARKET_NOT_FOUND, NOT_FOUND, ok, page } from './answers.ts';
import { type CallParts, publicGet, signedRoute } from './calls.ts';
import type { EventOfVenue, MarketOfVenue } from './catalogue/listing.ts';
import { SCHEDULE } from './hours.ts';
import {
  EVENTS_PAGE_MAX,
  type EventsQuery,
  eventsQuery,
  MARKETS_PAGE_MAX,
  type MarketsQuery,
  marketsQuery,
  STATUSES_OF_FILTERS,
  timeFilters,
  whole,
} from './listing-queries.ts';
import { createdAt, wireBook, wireEvent, wireMarket, wireSeries, wireStatus } from './market-shape.ts';
import type { PublicTrade } from './orders/fills.ts';
import type { MarketState } from './states.ts';
import { count, dollars, seconds, time } from './text.ts';
import type { KalshiVenue } from './venue.ts';

const BOOKS_MAX = 100;
const DEPTH_MAX = 100;
const NO_QUERY = z.unknown();

/** Public reads. */
export function registerPublic(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  publicGet(app, parts, '/exchange/status', NO_QUERY, () => ok(wireStatus(venue)));
  publicGet(app, parts, '/exchange/schedule', NO_QUERY, () => ok({ schedule: SCHEDULE }));
  registerSeries(app, parts);
  publicGet(app, parts, '/events', eventsQuery, ({ query }) => {
    const found = venue.events.filter((event) => isWantedEvent(venue, event, query));
    const { items, cursor } = page(found, query.cursor, clamped(venue, query.limit, EVENTS_PAGE_MAX));
    const events = items.map((event) => wireEvent(venue, event, query.with_nested_markets === 'true'));
    return ok({ events, cursor });
  });
  publicGet(app, parts, '/events/fee_changes', NO_QUERY, () => ok({ event_fee_changes: [], cursor: '' }));
  publicGet(app, parts, '/events/multivariate', NO_QUERY, () => ok({ events: [], cursor: '' }));
  publicGet(app, parts, '/events/:ticker', eventsQuery, ({ params, query }) => {
    const event = venue.events.find(({ ticker }) => ticker === params.ticker);
    if (event === undefined) return NOT_FOUND;
    const isNested = query.with_nested_markets === 'true';
    const markets = isNested ? [] : event.markets.map((market) => wireMarket(venue, market));
    return ok({ event: wireEvent(venue, event, isNested), markets });
  });
  publicGet(app, parts, '/markets', marketsQuery, ({ query }) => {
    if (timeFilters(query) > 1) return flat(400, 'invalid_parameters', 'timestamp filters are mutually exclusive');
    const found = venue
      .allMarkets()
      .filter((market) => !venue.isArchived(market) && isWantedMarket(venue, market, query));
    const { items, cursor } = page(found, query.cursor, clamped(venue, query.limit, MARKETS_PAGE_MAX));
    return ok({ markets: items.map((market) => wireMarket(venue, market)), cursor });
  });
  registerTrades(app, parts);
  publicGet(app, parts, '/markets/:ticker', NO_QUERY, ({ params }) => {
    const market = venue.market(params.ticker ?? '');
    return market === undefined || venue.isArchived(market)
      ? MARKET_NOT_FOUND
      : ok({ market: wireMarket(venue, market) });
  });
}

function registerSeries(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const all = [...new Map(venue.events.map((event) => [event.series.ticker, event])).values()];
  publicGet(app, parts, '/series', NO_QUERY, () => ok({ series: all.map(wireSeries) }));
  publicGet(app, parts, '/series/fee_changes', NO_QUERY, () => ok({ series_fee_change_arr: [] }));
  publicGet(app, parts, '/series/:ticker', NO_QUERY, ({ params }) => {
    const event = all.find(({ series }) => series.ticker === params.ticker);
    return event === undefined ? NOT_FOUND : ok({ series: wireSeries(event) });
  });
}

function registerTrades(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  publicGet(app, parts, '/markets/trades', tradesQuery, ({ query }) =>
    tradesAnswer(venue, query, ({ at }) => at >= venue.historyBefore),
  );
}

export const tradesQuery = z.object({
  ticker: z.string().optional(),
  limit: whole,
  cursor: z.string().optional(),
  min_ts: whole,
  max_ts: whole,
  is_block_trade: z.enum(['true', 'false']).optional(),
});

/** A page of the tape, the newest first. */
export function tradesAnswer(
  venue: KalshiVenue,
  { ticker, limit, cursor, min_ts, max_ts, is_block_trade }: z.infer<typeof tradesQuery>,
  isMeant: (trade: PublicTrade) => boolean,
) {
  const found = venue.fills.trades
    .filter(isMeant)
    .filter((trade) => ticker === undefined || ticker === '' || trade.ticker === ticker)
    .filter((trade) => min_ts === undefined || seconds(trade.at) >= min_ts)
    .filter((trade) => max_ts === undefined || seconds(trade.at) <= max_ts)
    .filter((trade) => is_block_trade === undefined || trade.isBlock === (is_block_trade === 'true'))
    .reverse();
  const some = page(found, cursor, clamped(venue, limit, MARKETS_PAGE_MAX));
  return ok({ trades: some.items.map(wireTrade), cursor: some.cursor });
}

function wireTrade({ id, ticker, size, yesPrice, takerSide, at, isBlock }: PublicTrade) {
  return {
    trade_id: id,
    ticker,
    count_fp: count(size),
    yes_price_dollars: dollars(yesPrice),
    no_price_dollars: dollars(complement(yesPrice)),
    taker_outcome_side: takerSide === 'bid' ? 'yes' : 'no',
    taker_book_side: takerSide,
    created_time: time(at),
    is_block_trade: isBlock,
  };
}

const UNREACHABLE = flat(502, 'internal_server_error', 'the real venue does not answer');

/** Books: of one market without a key, of several only for a signed request, as at the venue. */
export function registerBooks(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const depth = z.coerce.number().int().min(0).max(DEPTH_MAX).default(0);
  publicGet(app, parts, '/markets/:ticker/orderbook', z.object({ depth }), async ({ params, query }) => {
    await venue.mirror?.reading([params.ticker ?? '']);
    const market = venue.market(params.ticker ?? '');
    if (market === undefined) return MARKET_NOT_FOUND;
    return venue.isKnown(market) ? ok({ orderbook_fp: wireBook(venue, market, query.depth) }) : UNREACHABLE;
  });
  const tickers = z.union([z.string(), z.array(z.string()).min(1).max(BOOKS_MAX)]).transform((some) => [some].flat());
  signedRoute(app, parts, {
    ...{ method: 'GET', need: 'read', body: z.unknown(), path: '/markets/orderbooks' },
    query: z.object({ tickers }),
    meets: ({ query }) => query.tickers,
    answer: (_caller, { query }) => {
      const markets = query.tickers
        .flatMap((ticker) => venue.market(ticker) ?? [])
        .filter((market) => venue.isKnown(market));
      const orderbooks = markets.map((market) => ({
        ticker: market.ticker,
        orderbook_fp: wireBook(venue, market, 0),
      }));
      return ok({ orderbooks });
    },
  });
}

/** A page is never longer than the venue has it, or than a test wants it. */
export function clamped(venue: KalshiVenue, limit: number | undefined, max: number): number {
  return Math.min(limit ?? 100, max, venue.pageMax);
}

function isWantedEvent(venue: KalshiVenue, event: EventOfVenue, query: EventsQuery): boolean {
  const { status, series_ticker, tickers, min_close_ts, min_updated_ts } = query;
  const states = event.markets.map((market) => venue.states.of(market));
  return (
    (series_ticker === undefined || series_ticker === '' || event.series.ticker === series_ticker) &&
    (tickers === null || tickers.has(event.ticker)) &&
    (status === undefined || states.some((state) => isStatus(status, state))) &&
    (min_close_ts === undefined || states.some(({ closesAt }) => seconds(closesAt) > min_close_ts)) &&
    (min_updated_ts === undefined || states.some(({ updatedAt }) => seconds(updatedAt) > min_updated_ts))
  );
}

function isStatus(filter: keyof typeof STATUSES_OF_FILTERS, { status }: MarketState): boolean {
  return STATUSES_OF_FILTERS[filter].some((word) => word === status);
}

export function isWantedMarket(venue: KalshiVenue, market: MarketOfVenue, query: MarketsQuery): boolean {
  const { status, event_ticker, series_ticker, tickers, min_close_ts, max_close_ts, min_updated_ts } = query;
  const state = venue.states.of(market);
  const settledAt = state.settledAt === null ? undefined : seconds(state.settledAt);
  return (
    query.mve_filter !== 'only' &&
    (status === undefined || isStatus(status, state)) &&
    (event_ticker === undefined || event_ticker === '' || market.event.ticker === event_ticker) &&
    (series_ticker === undefined || series_ticker === '' || market.event.series.ticker === series_ticker) &&
    (tickers === null || tickers.has(market.ticker)) &&
    (min_close_ts === undefined || seconds(state.closesAt) > min_close_ts) &&
    (max_close_ts === undefined || seconds(state.closesAt) < max_close_ts) &&
    (query.min_created_ts === undefined || seconds(createdAt(market)) > query.min_created_ts) &&
    (query.max_created_ts === undefined || seconds(createdAt(market)) < query.max_created_ts) &&
    (min_updated_ts === undefined || seconds(state.updatedAt) > min_updated_ts) &&
    (query.min_settled_ts === undefined || (settledAt !== undefined && settledAt > query.min_settled_ts)) &&
    (query.max_settled_ts === undefined || (settledAt !== undefined && settledAt < query.max_settled_ts))
  );
}
