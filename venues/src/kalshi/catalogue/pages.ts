import type { ReadPriority } from '../../read-budget.ts';
import { VenueUnavailable } from '../../venue.ts';
import type { KalshiApi } from '../api.ts';
import { eventsPage, marketsPage, seriesList, type WireSeries, wireSeries } from '../wire.ts';

const EVENTS_PER_PAGE = '200';
/** A page of markets, or of events named one by one: as many as an address has room for. */
const NAMES_PER_CALL = 50;
/** The venue lists some thousands of events: a list that goes on behind this many pages goes round in a circle. */
const PAGES_MAX = 2_000;

/** Open events with their markets, page by page; the cursor is that of the page behind. */
export async function* openEventPages(
  api: KalshiApi,
  from: string | null,
  priority: ReadPriority,
): AsyncGenerator<{ events: unknown[]; cursor: string | null }> {
  let cursor = from;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { status: 'open', with_nested_markets: 'true', limit: EVENTS_PER_PAGE };
    const answer = await api.get('/events', cursor === null ? query : { ...query, cursor }, priority);
    const parsed = eventsPage.safeParse(answer);
    if (!parsed.success) throw new VenueUnavailable('a page of events came in an unknown shape');
    cursor = parsed.data.cursor;
    yield { events: parsed.data.events, cursor };
    if (cursor === null) return;
  }
  throw new VenueUnavailable('the list of events does not end');
}

/** Events by their tickers, open or not, with their markets. Pages of named ones may be shorter than their names. */
export async function eventsNamed(
  api: KalshiApi,
  tickers: readonly string[],
  priority: ReadPriority,
): Promise<unknown[]> {
  const query = { with_nested_markets: 'true', limit: EVENTS_PER_PAGE };
  return named(tickers, (names) => wholeList(api, { path: '/events', query: { ...query, tickers: names } }, priority));
}

export async function marketsNamed(
  api: KalshiApi,
  tickers: readonly string[],
  priority: ReadPriority,
): Promise<unknown[]> {
  return named(tickers, (names) =>
    wholeList(api, { path: '/markets', query: { limit: '1000', tickers: names } }, priority),
  );
}

/** The fees and sources of all series that there are, by ticker. */
export async function allSeries(api: KalshiApi, priority: ReadPriority): Promise<Map<string, WireSeries>> {
  const parsed = seriesList.safeParse(await api.get('/series', {}, priority));
  if (!parsed.success) throw new VenueUnavailable('the list of series came in an unknown shape');
  const known = (parsed.data.series ?? []).flatMap((raw) => wireSeries.safeParse(raw).data ?? []);
  return new Map(known.map((series) => [series.ticker, series]));
}

async function named(tickers: readonly string[], read: (names: string) => Promise<unknown[]>): Promise<unknown[]> {
  const chunks: Promise<unknown[]>[] = [];
  for (let from = 0; from < tickers.length; from += NAMES_PER_CALL)
    chunks.push(read(tickers.slice(from, from + NAMES_PER_CALL).join(',')));
  return (await Promise.all(chunks)).flat();
}

async function wholeList(
  api: KalshiApi,
  { path, query }: { path: '/events' | '/markets'; query: Record<string, string> },
  priority: ReadPriority,
): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < NAMES_PER_CALL; page++) {
    const answer = await api.get(path, cursor === null ? query : { ...query, cursor }, priority);
    const parsed = (path === '/events' ? eventsPage : marketsPage).safeParse(answer);
    if (!parsed.success) throw new VenueUnavailable(`a page of ${path.slice(1)} came in an unknown shape`);
    all.push(...('events' in parsed.data ? parsed.data.events : parsed.data.markets));
    cursor = parsed.data.cursor;
    if (cursor === null) return all;
  }
  throw new VenueUnavailable(`a list of named ${path.slice(1)} does not end`);
}
