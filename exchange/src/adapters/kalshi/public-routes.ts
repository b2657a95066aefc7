import { complement } from '@dutchbook/units/price.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { flat, MARKET_NOT_FOUND, NOT_FOUND, ok, page } from './answers.ts';
import { type CallParts, publicGet, signedRoute } from './calls.ts';
import type { EventOfVenue, MarketOfVenue } from './catalogue/listing.ts';
import { wireBook, wireEvent, wireMarket, wireSeries, wireStatus } from './market-shape.ts';
import type { PublicTrade } from './orders/fills.ts';
import type { MarketStatus } from './states.ts';
import { count, dollars, seconds, time } from './text.ts';
import type { KalshiVenue } from './venue.ts';

const EVENTS_PAGE_MAX = 200;
const MARKETS_PAGE_MAX = 1000;
const BOOKS_MAX = 100;
const DEPTH_MAX = 100;
const NO_QUERY = z.unknown();

/** A filter word of the venue, which has others for the states of markets. */
const FILTERS: Readonly<Record<string, readonly MarketStatus[]>> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed', 'amended'],
  settled: ['finalized'],
};
const filterWord = z.enum(['unopened', 'open', 'paused', 'closed', 'settled']).optional();

const whole = z.coerce.number().int().nonnegative().optional();
const flag = z.enum(['true', 'false']).optional();
const names = z
  .string()
  .max(20_000)
  .optional()
  .transform((text) => (text === undefined || text === '' ? null : new Set(text.split(','))));

const eventsQuery = z.object({
  limit: whole,
  cursor: z.string().optional(),
  status: filterWord,
  series_ticker: z.string().optional(),
  tickers: names,
  min_close_ts: whole,
  min_updated_ts: whole,
  with_nested_markets: flag,
  with_milestones: flag,
});

const marketsQuery = z.object({
  limit: whole,
  cursor: z.string().optional(),
  status: filterWord,
  event_ticker: z.string().optional(),
  series_ticker: z.string().optional(),
  tickers: names,
  min_close_ts: whole,
  max_close_ts: whole,
  min_updated_ts: whole,
  min_settled_ts: whole,
  max_settled_ts: whole,
  min_created_ts: whole,
  max_created_ts: whole,
  mve_filter: z.enum(['only', 'exclude']).optional(),
});
type MarketsQuery = z.infer<typeof marketsQuery>;

/** Public reads. Those of books are signed, as at the venue. */
export function registerPublic(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  publicGet(app, '/exchange/status', NO_QUERY, () => ok(wireStatus(venue)));
  publicGet(app, '/exchange/schedule', NO_QUERY, () => ok({ schedule: SCHEDULE }));
  registerSeries(app, venue);
  publicGet(app, '/events', eventsQuery, ({ query }) => {
    const found = venue.events.filter((event) => isWantedEvent(venue, event, query));
    const { items, cursor } = page(found, query.cursor, clamped(venue, query.limit, EVENTS_PAGE_MAX));
    const events = items.map((event) => wireEvent(venue, event, query.with_nested_markets === 'true'));
    return ok({ events, cursor });
  });
  publicGet(app, '/events/fee_changes', NO_QUERY, () => ok({ event_fee_changes: [], cursor: '' }));
  publicGet(app, '/events/:ticker', eventsQuery, ({ params, query }) => {
    const event = venue.events.find(({ ticker }) => ticker === params.ticker);
    if (event === undefined) return NOT_FOUND;
    const isNested = query.with_nested_markets === 'true';
    const markets = isNested ? [] : event.markets.map((market) => wireMarket(venue, market));
    return ok({ event: wireEvent(venue, event, isNested), markets });
  });
  publicGet(app, '/markets', marketsQuery, ({ query }) => {
    if (timeFilters(query) > 1) return flat(400, 'invalid_parameters', 'timestamp filters are mutually exclusive');
    const found = venue.allMarkets().filter((market) => isWantedMarket(venue, market, query));
    const { items, cursor } = page(found, query.cursor, clamped(venue, query.limit, MARKETS_PAGE_MAX));
    return ok({ markets: items.map((market) => wireMarket(venue, market)), cursor });
  });
  registerTrades(app, venue);
  publicGet(app, '/markets/:ticker', NO_QUERY, ({ params }) => {
    const market = venue.market(params.ticker ?? '');
    return market === undefined ? MARKET_NOT_FOUND : ok({ market: wireMarket(venue, market) });
  });
  registerBooks(app, parts);
}

function registerSeries(app: FastifyInstance, venue: KalshiVenue): void {
  const all = [...new Map(venue.events.map((event) => [event.series.ticker, event])).values()];
  publicGet(app, '/series', NO_QUERY, () => ok({ series: all.map(wireSeries) }));
  publicGet(app, '/series/fee_changes', NO_QUERY, () => ok({ series_fee_change_arr: [] }));
  publicGet(app, '/series/:ticker', NO_QUERY, ({ params }) => {
    const event = all.find(({ series }) => series.ticker === params.ticker);
    return event === undefined ? NOT_FOUND : ok({ series: wireSeries(event) });
  });
}

function registerTrades(app: FastifyInstance, venue: KalshiVenue): void {
  const query = z.object({ ticker: z.string().optional(), limit: whole, cursor: z.string().optional(), min_ts: whole });
  publicGet(app, '/markets/trades', query, ({ query: { ticker, limit, cursor, min_ts } }) => {
    const found = venue.fills.trades
      .filter((trade) => ticker === undefined || ticker === '' || trade.ticker === ticker)
      .filter((trade) => min_ts === undefined || seconds(trade.at) >= min_ts)
      .reverse();
    const some = page(found, cursor, clamped(venue, limit, MARKETS_PAGE_MAX));
    return ok({ trades: some.items.map(wireTrade), cursor: some.cursor });
  });
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

function registerBooks(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  const depth = z.coerce.number().int().min(0).max(DEPTH_MAX).default(0);
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...read,
    path: '/markets/:ticker/orderbook',
    query: z.object({ depth }),
    answer: (_caller, { params, query }) => {
      const market = venue.market(params.ticker ?? '');
      return market === undefined ? MARKET_NOT_FOUND : ok({ orderbook_fp: wireBook(venue, market, query.depth) });
    },
  });
  const tickers = z.union([z.string(), z.array(z.string()).min(1).max(BOOKS_MAX)]).transform((some) => [some].flat());
  signedRoute(app, parts, {
    ...read,
    path: '/markets/orderbooks',
    query: z.object({ tickers }),
    answer: (_caller, { query }) => {
      const markets = query.tickers.flatMap((ticker) => venue.market(ticker) ?? []);
      const orderbooks = markets.map((market) => ({
        ticker: market.ticker,
        orderbook_fp: wireBook(venue, market, 0),
      }));
      return ok({ orderbooks });
    },
  });
}

/** A page is never longer than the venue has it, or than a test wants it. */
function clamped(venue: KalshiVenue, limit: number | undefined, max: number): number {
  return Math.min(limit ?? 100, max, venue.pageMax);
}

function isWantedEvent(venue: KalshiVenue, event: EventOfVenue, query: z.infer<typeof eventsQuery>): boolean {
  const { status, series_ticker, tickers, min_close_ts, min_updated_ts } = query;
  const states = event.markets.map((market) => venue.states.of(market));
  return (
    (series_ticker === undefined || series_ticker === '' || event.series.ticker === series_ticker) &&
    (tickers === null || tickers.has(event.ticker)) &&
    (status === undefined || states.some((state) => FILTERS[status]?.includes(state.status))) &&
    (min_close_ts === undefined || states.some(({ closesAt }) => seconds(closesAt) > min_close_ts)) &&
    (min_updated_ts === undefined || states.some(({ updatedAt }) => seconds(updatedAt) > min_updated_ts))
  );
}

function isWantedMarket(venue: KalshiVenue, market: MarketOfVenue, query: MarketsQuery): boolean {
  const { status, event_ticker, series_ticker, tickers, min_close_ts, max_close_ts, min_updated_ts } = query;
  const state = venue.states.of(market);
  const settledAt = state.settledAt === null ? undefined : seconds(state.settledAt);
  return (
    query.mve_filter !== 'only' &&
    (status === undefined || FILTERS[status]?.includes(state.status) === true) &&
    (event_ticker === undefined || event_ticker === '' || market.event.ticker === event_ticker) &&
    (series_ticker === undefined || series_ticker === '' || market.event.series.ticker === series_ticker) &&
    (tickers === null || tickers.has(market.ticker)) &&
    (min_close_ts === undefined || seconds(state.closesAt) > min_close_ts) &&
    (max_close_ts === undefined || seconds(state.closesAt) < max_close_ts) &&
    (min_updated_ts === undefined || seconds(state.updatedAt) > min_updated_ts) &&
    (query.min_settled_ts === undefined || (settledAt !== undefined && settledAt > query.min_settled_ts)) &&
    (query.max_settled_ts === undefined || (settledAt !== undefined && settledAt < query.max_settled_ts))
  );
}

/** How many kinds of times a query filters by; the venue takes one. */
function timeFilters(query: MarketsQuery): number {
  const kinds = [
    [query.min_created_ts, query.max_created_ts],
    [query.min_close_ts, query.max_close_ts],
    [query.min_settled_ts, query.max_settled_ts],
    [query.min_updated_ts],
  ];
  return kinds.filter((kind) => kind.some((value) => value !== undefined)).length;
}

const DAY = [{ open_time: '00:00', close_time: '23:59' }];
const SCHEDULE = {
  standard_hours: [
    {
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2027-01-01T00:00:00Z',
      monday: DAY,
      tuesday: DAY,
      wednesday: DAY,
      thursday: [
        { open_time: '00:00', close_time: '03:00' },
        { open_time: '05:00', close_time: '23:59' },
      ],
      friday: DAY,
      saturday: DAY,
      sunday: DAY,
    },
  ],
  maintenance_windows: [],
};
