import type { EventId, MarketId } from '@dutchbook/units/ids.ts';
import { z } from 'zod';
import type { ReadPriority } from '../read-budget.ts';
import type { JsonApi, Query } from '../transport.ts';
import { VenueUnavailable } from '../venue.ts';
import { type GammaEvent, gammaEvent, gammaEventPage, gammaMarketPage, jsonTexts, ownId } from './wire.ts';

/** The venue clamps larger pages without saying so. */
const PAGE_LIMIT = '100';
const IDS_PER_CALL = 50;
const OPEN: Query = { closed: 'false' };
/** A listing that never ends is a fault of the venue; the longest real one is far below. */
const PAGES_MAX = 5_000;

/** The open events with their markets, page by page. Throws `VenueUnavailable`. */
export async function* openEvents(gamma: JsonApi): AsyncGenerator<GammaEvent> {
  for await (const raw of pages(gamma, 'events', OPEN, 'following')) {
    const parsed = gammaEvent.safeParse(raw);
    if (parsed.success) yield parsed.data;
  }
}

/** Pages of open events as they come, with the cursor behind each. Throws `VenueUnavailable`. */
export async function* eventPages(
  gamma: JsonApi,
  cursor: string | null,
): AsyncGenerator<{ items: unknown[]; nextCursor: string | null }> {
  yield* pagesFrom(gamma, 'events', OPEN, { cursor, priority: 'following' });
}

/** The open markets as they come, page by page. Throws `VenueUnavailable`. */
export async function* openMarkets(gamma: JsonApi): AsyncGenerator<unknown> {
  yield* pages(gamma, 'markets', OPEN, 'following');
}

const marketOfEvent = z.object({
  conditionId: ownId,
  events: z.array(z.object({ id: z.union([z.string(), z.number()]).transform(String).pipe(ownId) })).min(1),
});

/** A page of the open markets listed last; markets without an event are passed over. Throws `VenueUnavailable`. */
export async function newestMarkets(gamma: JsonApi, skip: number): Promise<{ marketId: MarketId; eventId: EventId }[]> {
  const query: Query = { ...OPEN, limit: PAGE_LIMIT, order: 'id', ascending: 'false', offset: String(skip) };
  const answer = z.array(z.unknown()).safeParse(await gamma.get('/markets', query, { priority: 'following' }));
  if (!answer.success) throw new VenueUnavailable('the catalogue did not answer with a list of markets');
  return answer.data.flatMap((raw) => {
    const { data } = marketOfEvent.safeParse(raw);
    const eventId = data?.events[0]?.id;
    return data === undefined || eventId === undefined ? [] : [{ marketId: data.conditionId, eventId }];
  });
}

/**
 * The markets with these condition ids, open or closed, in chunks: the venue answers a question that does not say
 * otherwise with open ones only. Throws `VenueUnavailable`.
 */
export function marketsWithIds(gamma: JsonApi, ids: readonly string[], priority: ReadPriority): Promise<unknown[]> {
  return marketsWith(gamma, 'condition_ids', ids, priority);
}

/** What Gamma finds markets by. */
export type MarketField = 'condition_ids' | 'id' | 'slug' | 'clob_token_ids';

/** `marketsWithIds` by another field. Throws `VenueUnavailable`. */
export async function marketsWith(
  gamma: JsonApi,
  field: MarketField,
  values: readonly string[],
  priority: ReadPriority,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const chunk of chunked(values)) {
    const open = await allPages(gamma, 'markets', { [field]: chunk, closed: 'false' }, priority);
    found.push(...open);
    const seen = new Set(open.flatMap((raw) => valuesOf(raw, field)));
    const rest = chunk.filter((value) => !seen.has(value));
    if (rest.length > 0) found.push(...(await allPages(gamma, 'markets', { [field]: rest, closed: 'true' }, priority)));
  }
  return found;
}

const marketNames = z.object({
  id: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  slug: z.string().nullish().catch(null),
  clobTokenIds: z.string().nullish().catch(null),
  positionIds: z.array(z.string()).nullish().catch(null),
  outcomes: z.string().nullish().catch(null),
});

/** What a market as it came says of itself in such a field; of tokens and outcomes in their order. */
export function valuesOf(raw: unknown, field: MarketField | 'outcomes'): string[] {
  if (field === 'condition_ids') return [conditionId(raw)];
  const { data } = marketNames.safeParse(raw);
  if (data === undefined) return [];
  if (field === 'outcomes') return jsonTexts(data.outcomes);
  if (field === 'clob_token_ids') return data.positionIds ?? jsonTexts(data.clobTokenIds);
  const value = data[field];
  return value === null || value === undefined ? [] : [value];
}

const eventNames = z.object({ slug: z.string(), markets: z.array(z.unknown()).nullish() });

/** The events with these names in the addresses of their pages, and the ids of their markets. Throws `VenueUnavailable`. */
export async function eventsWithSlugs(
  gamma: JsonApi,
  slugs: readonly string[],
  priority: ReadPriority,
): Promise<{ slug: string; marketIds: MarketId[] }[]> {
  const found: { slug: string; marketIds: MarketId[] }[] = [];
  for (const chunk of chunked(slugs)) {
    for (const raw of await allPages(gamma, 'events', { slug: chunk }, priority)) {
      const { data } = eventNames.safeParse(raw);
      if (data === undefined) continue;
      const marketIds = (data.markets ?? []).map(conditionId).filter((id) => id !== '');
      found.push({ slug: data.slug, marketIds });
    }
  }
  return found;
}

/** The events with these ids, open or closed. Throws `VenueUnavailable`. */
export async function eventsWithIds(
  gamma: JsonApi,
  ids: readonly string[],
  priority: ReadPriority,
): Promise<GammaEvent[]> {
  const found: GammaEvent[] = [];
  for (const raw of await rawEventsWithIds(gamma, ids, priority)) {
    const parsed = gammaEvent.safeParse(raw);
    if (parsed.success) found.push(parsed.data);
  }
  return found;
}

/** Events as Gamma sends them. */
export async function rawEventsWithIds(
  gamma: JsonApi,
  ids: readonly string[],
  priority: ReadPriority,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const chunk of chunked(ids)) found.push(...(await allPages(gamma, 'events', { id: chunk }, priority)));
  return found;
}

/** The condition id of a market as it came, or empty. */
export function conditionId(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || !('conditionId' in raw)) return '';
  return typeof raw.conditionId === 'string' ? raw.conditionId : '';
}

/** The venue makes pages as short as it likes, so only the cursor says that there are no more. */
async function* pages(
  gamma: JsonApi,
  kind: 'events' | 'markets',
  wanted: Query,
  priority: ReadPriority,
): AsyncGenerator<unknown> {
  for await (const { items } of pagesFrom(gamma, kind, wanted, { cursor: null, priority })) yield* items;
}

async function* pagesFrom(
  gamma: JsonApi,
  kind: 'events' | 'markets',
  wanted: Query,
  { cursor: begin, priority }: { cursor: string | null; priority: ReadPriority },
): AsyncGenerator<{ items: unknown[]; nextCursor: string | null }> {
  let cursor = begin;
  const cursors = new Set([begin]);
  for (let page = 0; page < PAGES_MAX; page++) {
    const query: Query = { ...wanted, limit: PAGE_LIMIT, ...(cursor === null ? {} : { after_cursor: cursor }) };
    const { items, nextCursor } = readPage(await gamma.get(`/${kind}/keyset`, query, { priority }), kind);
    if (nextCursor !== null && cursors.has(nextCursor))
      throw new VenueUnavailable(`the listing of ${kind} does not move on`);
    yield { items, nextCursor };
    if (nextCursor === null) return;
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw new VenueUnavailable(`the listing of ${kind} did not end after ${PAGES_MAX} pages`);
}

async function allPages(...asked: Parameters<typeof pages>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of pages(...asked)) items.push(item);
  return items;
}

function readPage(answer: unknown, kind: 'events' | 'markets'): { items: unknown[]; nextCursor: string | null } {
  const parsed = kind === 'events' ? gammaEventPage.safeParse(answer) : gammaMarketPage.safeParse(answer);
  if (!parsed.success) throw new VenueUnavailable(`the catalogue did not answer with a page of ${kind}`);
  const items = 'events' in parsed.data ? parsed.data.events : parsed.data.markets;
  return { items, nextCursor: parsed.data.next_cursor || null };
}

function* chunked(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += IDS_PER_CALL) yield ids.slice(from, from + IDS_PER_CALL);
}
