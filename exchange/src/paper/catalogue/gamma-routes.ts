import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refused } from '../../adapters/polymarket/answers.ts';
import {
  DEFAULT_PAGE,
  type GammaQuery,
  gammaQuery,
  matchesFlag,
  oneOf,
} from '../../adapters/polymarket/gamma-routes.ts';
import { send } from '../../adapters/polymarket/trading-routes.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { UpstreamCalls } from '../upstream/calls.ts';
import { ListingOrders } from './listing-order.ts';
import type { KeptEvent, KeptMarket, MirroredCatalogue } from './mirrored-catalogue.ts';
import type { CatalogueReader } from './reader.ts';

export interface MirroredGammaParts {
  readonly catalogue: MirroredCatalogue;
  readonly reader: CatalogueReader;
  /** Calls to the venue, for items that are not kept here. */
  readonly calls: UpstreamCalls;
  readonly engine: MatchingEngine;
}

/** For how long what is asked for by name counts as read. */
const FRESH_MS = 1_000;
const IDS_PER_CALL = 50;
/** How long a page waits while the catalogue is still being read for the first time. */
const FIRST_READING_MS = 8_000;
const STILL_READING = refused(503, 'the catalogue of the real venue is still being read');
const UNREACHABLE = refused(502, 'the real venue does not answer');

type Kept = KeptEvent | KeptMarket;

interface Listed<T extends Kept> {
  readonly key: 'events' | 'markets';
  /** The query field that names one item. */
  readonly field: 'condition_ids' | 'id';
  readonly nameOf: (item: T) => string;
  readonly orders: ListingOrders<T>;
  readonly isWanted: (item: T, query: GammaQuery) => boolean;
  /** The items that a query names by id; undefined for each that is not kept here. */
  readonly byIds: (query: GammaQuery) => (T | undefined)[];
  readonly bySlug: (slug: string) => T | undefined;
  readonly show: (item: T, query: GammaQuery) => string;
}

/** Gamma over the mirrored catalogue: the venue's own objects, in pages whose cursor is a place in the list. */
export function registerMirroredGamma(app: FastifyInstance, parts: MirroredGammaParts): void {
  const { catalogue, calls } = parts;
  const markets: Listed<KeptMarket> = {
    key: 'markets',
    field: 'condition_ids',
    nameOf: ({ conditionId }) => conditionId,
    orders: catalogue.marketOrders,
    isWanted: isWantedMarket,
    byIds: (query) => [
      ...query.id.map((id) => catalogue.market(id)),
      ...query.condition_ids.map((id) => catalogue.byCondition(id)),
      ...query.clob_token_ids.map((id) => catalogue.byToken(id)),
    ],
    bySlug: (slug) => catalogue.marketBySlug(slug),
    show: (market) => catalogue.marketText(market),
  };
  const events: Listed<KeptEvent> = {
    key: 'events',
    field: 'id',
    nameOf: ({ id }) => id,
    orders: catalogue.eventOrders,
    isWanted: isWantedEvent,
    byIds: (query) => query.id.map((id) => catalogue.event(id)),
    bySlug: (slug) => catalogue.eventBySlug(slug),
    show: (event, query) => catalogue.eventText(event, query.include_markets !== 'false'),
  };
  for (const kind of ['markets', 'events'] as const) {
    const listed = (kind === 'markets' ? markets : events) as Listed<Kept>;
    app.get(`/gamma/${kind}`, (request, reply) => answerList(parts, listed, request, reply));
    app.get(`/gamma/${kind}/keyset`, (request, reply) => answerList(parts, listed, request, reply));
  }
  app.get<{ Params: { id: string } }>('/gamma/markets/:id', (request, reply) => {
    const market = catalogue.market(request.params.id);
    if (market === undefined) return passOn(calls, request, reply);
    return json(reply, catalogue.marketText(market));
  });
  app.get<{ Params: { id: string } }>('/gamma/events/:id', (request, reply) => {
    const event = catalogue.event(request.params.id);
    if (event === undefined) return passOn(calls, request, reply);
    return json(reply, catalogue.eventText(event, true));
  });
  app.get('/gamma/market-clarifications', (request, reply) => passOn(calls, request, reply));
}

async function answerList<T extends Kept>(
  parts: MirroredGammaParts,
  listed: Listed<T>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const parsed = gammaQuery.safeParse(request.query);
  if (!parsed.success) return send(reply, refused(422, 'invalid query'));
  const query = parsed.data;
  const namesItems = isByName(query);
  if (listed.byIds(query).includes(undefined)) await learnFrom(parts, upstreamPath(request), listed.key);
  if (namesItems) await refresh(parts, listed, query);
  const isKeyset = request.url.split('?', 1)[0]?.endsWith('/keyset') === true;
  const limit = Math.min(query.limit ?? DEFAULT_PAGE, parts.engine.cataloguePageMax);
  const untilMs = performance.now() + FIRST_READING_MS;
  let page = pageOf(listed, query, limit);
  if (namesItems && page.items.length === 0 && query.slug.length > 0) {
    await learnFrom(parts, upstreamPath(request), listed.key);
    page = pageOf(listed, query, limit);
  }
  while (!namesItems && page.next === undefined && !parts.reader.isComplete && !parts.calls.isClosed) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return send(reply, STILL_READING);
    await parts.catalogue.untilLearnt(leftMs);
    page = pageOf(listed, query, limit);
  }
  const items = page.items.map((item) => listed.show(item, query)).join();
  if (!isKeyset) return json(reply, `[${items}]`);
  const next = page.next === undefined ? '' : `,"next_cursor":${JSON.stringify(page.next)}`;
  return json(reply, `{"${listed.key}":[${items}]${next}}`);
}

/** Reads what is asked for by name again, open or closed, unless it has just been read: its state changes quickly. */
async function refresh<T extends Kept>(parts: MirroredGammaParts, listed: Listed<T>, query: GammaQuery): Promise<void> {
  const before = performance.now() - FRESH_MS;
  const asked = { ...query, closed: undefined, active: undefined };
  const old = named(listed, asked)
    .filter((item) => item.readAtMs < before && listed.nameOf(item) !== '')
    .map(listed.nameOf);
  const chunks = Array.from({ length: Math.ceil(old.length / IDS_PER_CALL) }, (_, index) =>
    old.slice(index * IDS_PER_CALL, (index + 1) * IDS_PER_CALL),
  );
  const { key, field } = listed;
  await Promise.all(
    chunks.flatMap((chunk) =>
      ['false', 'true'].map((closed) => {
        const names = new URLSearchParams({ closed, limit: String(IDS_PER_CALL) });
        for (const name of chunk) names.append(field, name);
        return learnFrom(parts, `/${key}/keyset?${names}`, key);
      }),
    ),
  );
}

/** Asks the venue for what a query names, and keeps it. */
async function learnFrom({ calls, catalogue }: MirroredGammaParts, path: string, key: 'events' | 'markets') {
  try {
    const answer = await calls.pass('GET', path);
    const body: unknown = answer.status === 200 ? JSON.parse(answer.text) : [];
    const items = Array.isArray(body) ? body : (body as Record<string, unknown>)[key];
    for (const raw of Array.isArray(items) ? (items as unknown[]) : []) {
      if (key === 'events') catalogue.learnEvent(raw);
      else catalogue.learnMarket(raw);
    }
  } catch {
    // What is kept answers then.
  }
}

function isByName(query: GammaQuery): boolean {
  return [query.id, query.slug, query.condition_ids, query.clob_token_ids].some((ids) => ids.length > 0);
}

/** The kept items that a query names, in listing order. */
function named<T extends Kept>(listed: Listed<T>, query: GammaQuery): T[] {
  const found = new Set([...listed.byIds(query), ...query.slug.map(listed.bySlug)]);
  return [...found]
    .filter((item) => item !== undefined)
    .filter((item) => listed.isWanted(item, query))
    .sort((one, other) => one.seq - other.seq);
}

/** The cursor is the place of the last item in the list: what follows on it in the order that is asked for is the next page. */
function pageOf<T extends Kept>(listed: Listed<T>, query: GammaQuery, limit: number) {
  const cursor = query.next_cursor ?? query.after_cursor;
  const place = cursor ? Number(Buffer.from(cursor, 'base64url').toString('utf8')) || 0 : 0;
  const order = query.order === undefined ? 'place' : query.ascending === 'false' ? 'id descending' : 'id';
  const orders = isByName(query) ? ordersOf(named(listed, query)) : listed.orders;
  let skipped = cursor ? 0 : (query.offset ?? 0);
  const items: T[] = [];
  for (const item of orders.after(place, order)) {
    if (!listed.isWanted(item, query) || skipped-- > 0) continue;
    if (items.length === limit) return { items, next: cursorOf(items.at(-1)) };
    items.push(item);
  }
  return { items, next: undefined };
}

function ordersOf<T extends Kept>(items: readonly T[]): ListingOrders<T> {
  const orders = new ListingOrders<T>();
  for (const item of items) orders.add(item);
  return orders;
}

function cursorOf(last: Kept | undefined): string | undefined {
  return last && Buffer.from(String(last.seq)).toString('base64url');
}

function isWantedMarket(market: KeptMarket, query: GammaQuery): boolean {
  return (
    oneOf(query.id, market.id) &&
    oneOf(query.slug, market.slug) &&
    oneOf(query.condition_ids, market.conditionId) &&
    (query.clob_token_ids.length === 0 || market.tokens.some((id) => query.clob_token_ids.includes(id))) &&
    matchesFlag(query.closed, market.isClosed) &&
    matchesFlag(query.active, market.isActive)
  );
}

function isWantedEvent(event: KeptEvent, query: GammaQuery): boolean {
  return (
    oneOf(query.id, event.id) &&
    oneOf(query.slug, event.slug) &&
    matchesFlag(query.closed, event.isClosed) &&
    matchesFlag(query.active, event.isActive)
  );
}

async function passOn(calls: UpstreamCalls, request: FastifyRequest, reply: FastifyReply) {
  try {
    const { status, text } = await calls.pass('GET', upstreamPath(request));
    return reply.code(status).type('application/json').send(text);
  } catch {
    return send(reply, UNREACHABLE);
  }
}

function upstreamPath({ url }: FastifyRequest): string {
  return url.replace(/^\/gamma/, '');
}

function json(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json').send(text);
}
