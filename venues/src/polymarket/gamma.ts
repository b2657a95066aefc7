import type { ReadPriority } from '../read-budget.ts';
import { VenueUnavailable } from '../venue.ts';
import type { JsonApi, Query } from './transport.ts';
import { type GammaEvent, gammaEvent, gammaEventPage, gammaMarketPage } from './wire.ts';

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

/**
 * The markets with these condition ids, open or closed, in chunks: the venue answers a question that does not say
 * otherwise with open ones only. Throws `VenueUnavailable`.
 */
export async function marketsWithIds(
  gamma: JsonApi,
  ids: readonly string[],
  priority: ReadPriority,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const chunk of chunked(ids)) {
    const open = await allPages(gamma, 'markets', { condition_ids: chunk, closed: 'false' }, priority);
    found.push(...open);
    const openIds = new Set(open.map(conditionId));
    const rest = chunk.filter((id) => !openIds.has(id));
    if (rest.length > 0)
      found.push(...(await allPages(gamma, 'markets', { condition_ids: rest, closed: 'true' }, priority)));
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
