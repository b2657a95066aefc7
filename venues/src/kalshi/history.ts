import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '../venue.ts';
import { FILLS, ORDERS, pages, type ReadingContext, secondsText } from './account-lists.ts';
import { historyCutoff, readTime } from './wire.ts';

/** The venue's current lists hold about three months: orders younger than this are not looked up in history. */
const SURELY_LISTED_MS = 30 * 86_400_000;

/** `ticker`: of one market alone; null of all. */
type HistoryRange = { since: Instant; ticker: string | null };

export async function oldOrders(context: ReadingContext, range: HistoryRange): Promise<unknown[]> {
  if (!(await hasLeft(context, range.since, 'orders_updated_ts'))) return [];
  return await pages(context, { ...ORDERS, path: '/historical/orders', isHistory: true }, queryOf(range));
}

export async function oldFills(context: ReadingContext, range: HistoryRange): Promise<unknown[]> {
  if (!(await hasLeft(context, range.since, 'trades_created_ts'))) return [];
  return await pages(context, { ...FILLS, path: '/historical/fills', isHistory: true }, queryOf(range));
}

async function hasLeft(
  { api, runtime }: ReadingContext,
  since: Instant,
  kind: 'orders_updated_ts' | 'trades_created_ts',
): Promise<boolean> {
  if (elapsedMs(since, runtime.now()) < SURELY_LISTED_MS) return false;
  const parsed = historyCutoff.safeParse(await api.get('/historical/cutoff'));
  const cutoff = parsed.success ? readTime(parsed.data[kind]) : null;
  if (cutoff === null) throw new VenueUnavailable('where history begins came in an unknown shape');
  return since < cutoff;
}

function queryOf({ since, ticker }: HistoryRange): Record<string, string> {
  return { min_ts: secondsText(since), ...(ticker === null ? {} : { ticker }) };
}
