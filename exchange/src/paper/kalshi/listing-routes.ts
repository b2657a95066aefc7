import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { flat, MARKET_NOT_FOUND, NOT_FOUND, page, TOO_MANY } from '../../adapters/kalshi/answers.ts';
import { BASE_PATH } from '../../adapters/kalshi/calls.ts';
import {
  EVENTS_PAGE_MAX,
  type EventsQuery,
  eventsQuery,
  MARKETS_PAGE_MAX,
  type MarketsQuery,
  marketsQuery,
  STATUSES_OF_FILTERS,
  timeFilters,
} from '../../adapters/kalshi/listing-queries.ts';
import type { UpstreamCalls } from '../upstream/calls.ts';
import { type KeptEvent, type KeptMarket, type MirroredListings, marketText } from './mirrored-listings.ts';

export interface ListingRouteParts {
  readonly listings: MirroredListings;
  readonly calls: UpstreamCalls;
}

/** Calls passed on to the venue: its status and its tape. */
const PASSED_ON = [
  '/exchange/status',
  '/exchange/schedule',
  '/series/fee_changes',
  '/events/fee_changes',
  '/markets/trades',
  '/markets/candlesticks',
  '/series/:series/markets/:ticker/candlesticks',
  '/series/:series/events/:ticker/candlesticks',
  '/historical/markets',
  '/historical/markets/:ticker',
  '/historical/markets/:ticker/candlesticks',
  '/historical/trades',
] as const;
const PAGE = 100;

/** The public lists as the venue sent them, field by field. */
export function registerMirroredListings(app: FastifyInstance, { listings, calls }: ListingRouteParts): void {
  const get = (path: string, answer: (request: FastifyRequest) => Sent | Promise<Sent>) =>
    app.get(`${BASE_PATH}${path}`, async (request, reply) => send(reply, await answer(request)));
  for (const path of PASSED_ON) get(path, ({ url }) => passOn(calls, url.slice(BASE_PATH.length)));
  get('/series', () => ({ text: `{"series":${JSON.stringify([...listings.series()])}}` }));
  get('/series/:ticker', ({ params }) => {
    const series = listings.seriesNamed(tickerIn(params));
    return series === undefined ? NOT_FOUND : { text: `{"series":${JSON.stringify(series)}}` };
  });
  get('/events', ({ query }) => {
    const asked = eventsQuery.safeParse(query);
    if (!asked.success) return flat(400, 'invalid_parameters', asked.error.issues[0]?.message ?? '');
    const { tickers, cursor, limit, with_nested_markets } = asked.data;
    const among = tickers === null ? listings.events() : [...tickers].flatMap((each) => listings.event(each) ?? []);
    const found = [...among].filter((event) => isWantedEvent(event, asked.data));
    const some = page(found, cursor, Math.min(limit ?? PAGE, EVENTS_PAGE_MAX));
    const events = some.items.map((event) => listings.eventText(event, with_nested_markets === 'true'));
    return { text: `{"events":[${events.join()}],"cursor":"${some.cursor}"}` };
  });
  get('/events/:ticker', ({ params, query }) => {
    const event = listings.event(tickerIn(params));
    if (event === undefined) return NOT_FOUND;
    const isNested = (query as Record<string, unknown>).with_nested_markets === 'true';
    const markets = isNested ? [] : event.markets.map(marketText);
    return { text: `{"event":${listings.eventText(event, isNested)},"markets":[${markets.join()}]}` };
  });
  get('/markets', ({ query }) => {
    const asked = marketsQuery.safeParse(query);
    if (!asked.success) return flat(400, 'invalid_parameters', asked.error.issues[0]?.message ?? '');
    if (timeFilters(asked.data) > 1) return flat(400, 'invalid_parameters', 'timestamp filters are mutually exclusive');
    const { tickers, cursor, limit } = asked.data;
    const among = tickers === null ? listings.markets() : [...tickers].flatMap((each) => listings.market(each) ?? []);
    const found = [...among].filter((market) => isWantedMarket(market, asked.data));
    const some = page(found, cursor, Math.min(limit ?? PAGE, MARKETS_PAGE_MAX));
    return { text: `{"markets":[${some.items.map(marketText).join()}],"cursor":"${some.cursor}"}` };
  });
  get('/markets/:ticker', ({ params }) => {
    const market = listings.market(tickerIn(params));
    return market === undefined ? MARKET_NOT_FOUND : { text: `{"market":${marketText(market)}}` };
  });
}

/** A text is JSON already. */
type Sent = { readonly status: number; readonly body: unknown } | { readonly status?: number; readonly text: string };

function send(reply: FastifyReply, sent: Sent): FastifyReply {
  if ('body' in sent) return reply.code(sent.status).send(sent.body);
  return reply
    .code(sent.status ?? 200)
    .type('application/json')
    .send(sent.text);
}

async function passOn(calls: UpstreamCalls, path: string): Promise<Sent> {
  try {
    return (await calls.passInTurn(path)) ?? TOO_MANY;
  } catch {
    return flat(502, 'internal_server_error', 'the real venue does not answer');
  }
}

function tickerIn(params: unknown): string {
  return String((params as Record<string, unknown>).ticker ?? '');
}

function isWantedEvent({ series, markets, updatedAtMs }: KeptEvent, query: EventsQuery): boolean {
  const { status, series_ticker, min_close_ts, min_updated_ts } = query;
  return (
    (!series_ticker || series === series_ticker) &&
    (status === undefined || markets.some((market) => hasStatus(market, status))) &&
    (min_close_ts === undefined || markets.some(({ closesAtMs }) => closesAtMs > 1000 * min_close_ts)) &&
    (min_updated_ts === undefined || updatedAtMs > 1000 * min_updated_ts)
  );
}

function isWantedMarket(market: KeptMarket, query: MarketsQuery): boolean {
  const { status, event_ticker, series_ticker, min_close_ts, max_close_ts, min_updated_ts } = query;
  const { event, closesAtMs, updatedAtMs, settledAtMs } = market;
  const settledAt = settledAtMs ?? Number.NaN;
  return (
    query.mve_filter !== 'only' &&
    (status === undefined || hasStatus(market, status)) &&
    (!event_ticker || event.ticker === event_ticker) &&
    (!series_ticker || event.series === series_ticker) &&
    (min_close_ts === undefined || closesAtMs > 1000 * min_close_ts) &&
    (max_close_ts === undefined || closesAtMs < 1000 * max_close_ts) &&
    (min_updated_ts === undefined || updatedAtMs > 1000 * min_updated_ts) &&
    (query.min_settled_ts === undefined || settledAt > 1000 * query.min_settled_ts) &&
    (query.max_settled_ts === undefined || settledAt < 1000 * query.max_settled_ts)
  );
}

function hasStatus({ status: of }: KeptMarket, filter: keyof typeof STATUSES_OF_FILTERS): boolean {
  return STATUSES_OF_FILTERS[filter].some((status) => status === of);
}
