import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { PRICE_ONE, priceToNumber, tickToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { hashId } from '../../catalogue/ids.ts';
import type { EventListing, MarketListing } from '../../catalogue/listing.ts';
import { type Market, statedBy } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { refused } from './answers.ts';
import { bestPrice, lastTradePrice, midpoint } from './book-shape.ts';
import { answerClarifications } from './clarifications.ts';
import { send } from './trading-routes.ts';

export const DEFAULT_PAGE = 20;
const LISTED_FOR_MS = 365 * 86_400_000;
/** Half of a page, as a proxy that gives up leaves it. */
const GARBAGE = '{"events":[{"id":"4';

const texts = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat().flatMap((part) => part.split(','))));

export const gammaQuery = z.object({
  id: texts,
  slug: texts,
  condition_ids: texts,
  clob_token_ids: texts,
  closed: z.enum(['true', 'false']).optional(),
  active: z.enum(['true', 'false']).optional(),
  limit: z.coerce.number().int().min(0).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  next_cursor: z.string().optional(),
  after_cursor: z.string().optional(),
  order: z.enum(['id']).optional(),
  ascending: z.enum(['true', 'false']).optional(),
  include_markets: z.enum(['true', 'false']).optional(),
});

export type GammaQuery = z.infer<typeof gammaQuery>;

/** The catalogue service. Pages are clamped silently at 100; the keyset form pages on a cursor only. */
export function registerGamma(app: FastifyInstance, engine: MatchingEngine): void {
  const markets = (query: GammaQuery) => {
    const found = engine.directory
      .all()
      .filter((market) => isMarketListed(market, engine) && isWantedMarket(market, query));
    if (query.order !== 'id') return found;
    const sign = query.ascending === 'false' ? -1 : 1;
    return found.sort((one, other) => sign * (Number(one.listing.id) - Number(other.listing.id)));
  };
  const events = (query: GammaQuery) =>
    engine.directory.events.filter((event) => isEventListed(event, engine) && isWantedEvent(event, query, engine));
  const route = <T>(url: string, find: (query: GammaQuery) => readonly T[], key: string | undefined, show: Show<T>) =>
    app.get(`/gamma${url}`, (request, reply) => {
      const parsed = gammaQuery.safeParse(request.query);
      if (!parsed.success) return send(reply, refused(422, 'invalid query'));
      if (engine.directory.trouble.takesGarbage()) return reply.type('application/json').send(Buffer.from(GARBAGE));
      const { items, nextCursor } = gammaPage(find(parsed.data), parsed.data, engine.cataloguePageMax);
      const shown = items.map((item) => show(item, parsed.data));
      if (key === undefined) return reply.send(shown);
      return reply.send({ [key]: shown, ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }) });
    });

  const showMarket: Show<Market> = (market) => ({ ...gammaMarket(market), events: [eventHead(market.event, engine)] });
  const showEvent: Show<EventListing> = (event, query) => gammaEvent(event, engine, query.include_markets !== 'false');
  route('/markets', markets, undefined, showMarket);
  route('/markets/keyset', markets, 'markets', showMarket);
  route('/events', events, undefined, showEvent);
  route('/events/keyset', events, 'events', showEvent);
  app.get('/gamma/market-clarifications', (request, reply) => answerClarifications(engine, request.query, reply));
  app.get<{ Params: { id: string } }>('/gamma/markets/:id', (request, reply) => {
    const market = engine.directory.all().find(({ listing }) => listing.id === request.params.id);
    return market === undefined ? send(reply, refused(404, 'not found')) : reply.send(showMarket(market, EVERYTHING));
  });
  app.get<{ Params: { id: string } }>('/gamma/events/:id', (request, reply) => {
    const event = engine.directory.events.find((one) => one.id === request.params.id && isEventListed(one, engine));
    return event === undefined ? send(reply, refused(404, 'not found')) : reply.send(showEvent(event, EVERYTHING));
  });
}

type Show<T> = (item: T, query: GammaQuery) => unknown;

const EVERYTHING = gammaQuery.parse({});

function gammaPage<T>(
  items: readonly T[],
  query: GammaQuery,
  pageMax: number,
): { items: T[]; nextCursor: string | undefined } {
  const cursor = query.next_cursor ?? query.after_cursor;
  const from = cursor ? Number(Buffer.from(cursor, 'base64url').toString('utf8')) || 0 : (query.offset ?? 0);
  const to = from + Math.min(query.limit ?? DEFAULT_PAGE, pageMax);
  const nextCursor = to < items.length ? Buffer.from(String(to)).toString('base64url') : undefined;
  return { items: items.slice(from, to), nextCursor };
}

function isWantedMarket(market: Market, query: GammaQuery): boolean {
  const { listing } = market;
  return (
    oneOf(query.id, listing.id) &&
    oneOf(query.slug, listing.slug) &&
    oneOf(query.condition_ids, listing.conditionId) &&
    (query.clob_token_ids.length === 0 || listing.tokens.some((tokenId) => query.clob_token_ids.includes(tokenId))) &&
    matchesFlag(query.closed, isClosed(market)) &&
    matchesFlag(query.active, true)
  );
}

function isWantedEvent(event: EventListing, query: GammaQuery, engine: MatchingEngine): boolean {
  return (
    oneOf(query.id, event.id) &&
    oneOf(query.slug, event.slug) &&
    matchesFlag(query.closed, isEventClosed(event, engine)) &&
    matchesFlag(query.active, true)
  );
}

export function oneOf(wanted: readonly string[], value: string): boolean {
  return wanted.length === 0 || wanted.includes(value);
}

export function matchesFlag(wanted: 'true' | 'false' | undefined, value: boolean): boolean {
  return wanted === undefined || (wanted === 'true') === value;
}

function isClosed(market: Market): boolean {
  return market.payouts !== undefined;
}

function isListed({ edited }: Market): boolean {
  return edited.isListed !== false;
}

function isMarketListed(market: Market, engine: MatchingEngine): boolean {
  return isListed(market) && !engine.directory.trouble.vanished.has(market.event.id);
}

function isEventListed(event: EventListing, engine: MatchingEngine): boolean {
  return !engine.directory.trouble.vanished.has(event.id) && marketsOf(event, engine).some(isListed);
}

function isEventClosed(event: EventListing, engine: MatchingEngine): boolean {
  return marketsOf(event, engine).every(isClosed);
}

function marketsOf(event: EventListing, engine: MatchingEngine): Market[] {
  return event.markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []);
}

function eventHead(event: EventListing, engine: MatchingEngine) {
  return {
    id: event.id,
    slug: event.slug,
    ticker: event.slug,
    title: event.title,
    negRisk: event.negRisk,
    enableNegRisk: event.negRisk,
    negRiskAugmented: engine.directory.augmentedNow.get(event.id) ?? event.augmented,
    ...(event.cumulative ? { cumulativeMarkets: true } : {}),
    ...(event.negRisk
      ? { negRiskMarketID: event.negRiskMarketId, negRiskFeeBips: engine.directory.feeBips(event) }
      : {}),
    startDate: instantToIso((event.endsAt - LISTED_FOR_MS) as typeof event.endsAt),
    endDate: instantToIso(event.endsAt),
    active: true,
    closed: isEventClosed(event, engine),
    archived: false,
  };
}

/** A number as text, as the venue has it. */
function seriesId(slug: string): string {
  return String(Number.parseInt(hashId('series', slug).slice(2, 10), 16));
}

function gammaEvent(event: EventListing, engine: MatchingEngine, withMarkets: boolean) {
  const { series: slug } = event;
  const series = slug === null ? [] : [{ id: seriesId(slug), slug, title: slug.replaceAll('-', ' ') }];
  const head = { ...eventHead(event, engine), series, tags: [] };
  if (!withMarkets) return head;
  const markets = engine.directory.trouble.shown(event.id, marketsOf(event, engine).filter(isListed));
  return { ...head, markets: markets.map(gammaMarket) };
}

function gammaMarket(market: Market) {
  const { listing, event } = market;
  const reported = statedBy('gamma', market);
  const bid = bestPrice(market, 0, 'bid');
  const ask = bestPrice(market, 0, 'ask');
  const last = lastTradePrice(market, 0);
  return {
    id: listing.id,
    conditionId: listing.conditionId,
    questionID: listing.questionId,
    slug: listing.slug,
    question: market.edited.question ?? listing.question,
    description: market.edited.rules ?? listing.rules,
    resolutionSource: listing.resolutionSource,
    groupItemTitle: listing.groupItemTitle,
    groupItemThreshold: String(listing.displayOrder),
    ...(listing.shownRange === null ? {} : { groupItemRange: JSON.stringify(listing.shownRange.map(String)) }),
    ...gameFields(listing),
    version: listing.protocol,
    outcomes: JSON.stringify(listing.outcomes),
    outcomePrices: JSON.stringify(outcomePrices(market)),
    ...(listing.protocol === 'v2'
      ? { positionIds: reported.tokens }
      : { clobTokenIds: JSON.stringify(reported.tokens) }),
    active: true,
    closed: isClosed(market),
    archived: false,
    acceptingOrders: market.isAccepting,
    enableOrderBook: true,
    marketMakerAddress: '',
    negRisk: reported.negRisk,
    ...(listing.negRisk ? { negRiskMarketID: event.negRiskMarketId, negRiskRequestID: listing.questionId } : {}),
    startDate: instantToIso((listing.endsAt - LISTED_FOR_MS) as typeof listing.endsAt),
    endDate: instantToIso(market.edited.endsAt ?? listing.endsAt),
    orderMinSize: sharesToNumber(reported.minSize),
    orderPriceMinTickSize: tickToNumber(reported.tick),
    secondsDelay: market.delayMs / 1000,
    feesEnabled: reported.feeRate > 0,
    feeType: listing.feeRate > 0 ? listing.feeType : null,
    feeSchedule: { rate: fractionToNumber(reported.feeRate), exponent: 1, takerOnly: true, rebateRate: 0.25 },
    ...(bid === undefined ? {} : { bestBid: priceToNumber(bid) }),
    ...(ask === undefined ? {} : { bestAsk: priceToNumber(ask) }),
    ...(last === '' ? {} : { lastTradePrice: Number(last) }),
    ...umaFields(market),
  };
}

function umaFields(market: Market) {
  const statuses = [...(market.edited.umaStatuses ?? []), ...(isClosed(market) ? ['resolved'] : [])];
  return { umaResolutionStatus: statuses.at(-1) ?? '', umaResolutionStatuses: JSON.stringify(statuses) };
}

/** A game begins when its markets end. */
function gameFields({ game, endsAt }: MarketListing) {
  if (game === null) return {};
  const gameStartTime = instantToIso(endsAt).replace('T', ' ').replace('.000Z', '+00');
  return {
    sportsMarketType: game.type,
    ...(game.line === null ? {} : { line: game.line }),
    ...(game.id === null ? {} : { gameId: game.id }),
    gameStartTime,
  };
}

/** What each outcome is worth: 1 and 0 once resolved, the middle of the book before. */
function outcomePrices(market: Market): [string, string] {
  if (market.payouts !== undefined) {
    const [first, second] = market.payouts;
    return [String(first / (first + second)), String(second / (first + second))];
  }
  const first = Number(midpoint(market, 0) ?? '0.5');
  const micro = Math.round(first * PRICE_ONE);
  return [microToText(micro), microToText(PRICE_ONE - micro)];
}
