import { VenueUnavailable } from '../venue.ts';
import type { JsonApi, Query } from './transport.ts';
import { type GammaEvent, gammaEvent, gammaEventPage, gammaMarketPage } from './wire.ts';

/** The venue clamps larger pages without saying so. */
const PAGE_LIMIT = '100';
const IDS_PER_CALL = 50;
/** A listing that never ends is a fault of the venue; the longest real one is far below. */
const PAGES_MAX = 5_000;

/** The open events with their markets, page by page. Throws `VenueUnavailable`. */
export async function* openEvents(gamma: JsonApi): AsyncGenerator<GammaEvent> {
  for await (const raw of pages(gamma, 'events')) {
    const parsed = gammaEvent.safeParse(raw);
    if (parsed.success) yield parsed.data;
  }
}

/** The open markets as they come, page by page. Throws `VenueUnavailable`. */
export async function* openMarkets(gamma: JsonApi): AsyncGenerator<unknown> {
  yield* pages(gamma, 'markets');
}

/**
 * The markets with these condition ids, open or closed, in chunks: the venue answers a question that does not say
 * otherwise with open ones only. Throws `VenueUnavailable`.
 */
export async function marketsWithIds(gamma: JsonApi, ids: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const chunk of chunked(ids)) {
    const open = await ask(gamma, 'markets', { condition_ids: chunk, closed: 'false' });
    found.push(...open);
    const openIds = new Set(open.map(conditionId));
    const rest = chunk.filter((id) => !openIds.has(id));
    if (rest.length > 0) found.push(...(await ask(gamma, 'markets', { condition_ids: rest, closed: 'true' })));
  }
  return found;
}

/** The events with these ids, open or closed. Throws `VenueUnavailable`. */
export async function eventsWithIds(gamma: JsonApi, ids: readonly string[]): Promise<GammaEvent[]> {
  const found: GammaEvent[] = [];
  for (const chunk of chunked(ids)) {
    for (const raw of await ask(gamma, 'events', { id: chunk })) {
      const parsed = gammaEvent.safeParse(raw);
      if (parsed.success) found.push(parsed.data);
    }
  }
  return found;
}

/** The condition id of a market as it came, or empty. */
export function conditionId(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || !('conditionId' in raw)) return '';
  return typeof raw.conditionId === 'string' ? raw.conditionId : '';
}

async function* pages(gamma: JsonApi, kind: 'events' | 'markets'): AsyncGenerator<unknown> {
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query: Query = { closed: 'false', limit: PAGE_LIMIT, ...(cursor === null ? {} : { after_cursor: cursor }) };
    const { items, nextCursor } = readPage(await gamma.get(`/${kind}/keyset`, query), kind);
    yield* items;
    if (nextCursor === null) return;
    if (nextCursor === cursor) throw new VenueUnavailable(`the listing of ${kind} does not move on`);
    cursor = nextCursor;
  }
  throw new VenueUnavailable(`the listing of ${kind} did not end after ${PAGES_MAX} pages`);
}

async function ask(gamma: JsonApi, kind: 'events' | 'markets', query: Query): Promise<unknown[]> {
  return readPage(await gamma.get(`/${kind}/keyset`, { ...query, limit: PAGE_LIMIT }), kind).items;
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
