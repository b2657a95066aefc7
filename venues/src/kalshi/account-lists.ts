/** Lists of the account, read page by page, and what is known of its orders meanwhile. */
import type { OrderName } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { z } from 'zod';
import type { ReadPriority } from '../read-budget.ts';
import type { Query } from '../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { KalshiApi } from './api.ts';
import { fillsPage, ordersPage, positionsPage } from './wire.ts';

/** Where an order of ours is found: the venue's name for it, and its market, without which a cancel goes to another shard. */
export type Place = { orderId: string; ticker: string };

export type ReadingContext = {
  api: KalshiApi;
  runtime: VenueRuntime;
  subaccount: number | null;
  /** Places of recently placed or read orders, by our name. */
  places: Map<OrderName, Place>;
  /** What we call the orders that the venue names so. */
  names: Map<string, OrderName>;
  /** When an order was last sent, or first asked for by this process; at most, by the venue's clock. */
  sentBy: Map<OrderName, Instant>;
  /** Ids of trades that could not be read. */
  unreadable: Set<string>;
  /** The parts of the exchange, as last read. */
  shards: { names: readonly string[]; readAt: Instant };
};

export const ORDERS = {
  path: '/portfolio/orders',
  shape: ordersPage,
  rowsOf: (page: z.infer<typeof ordersPage>) => page.orders,
};
export const FILLS = {
  path: '/portfolio/fills',
  shape: fillsPage,
  rowsOf: (page: z.infer<typeof fillsPage>) => page.fills,
};
export const POSITIONS = {
  path: '/portfolio/positions',
  shape: positionsPage,
  rowsOf: (page: z.infer<typeof positionsPage>) => page.market_positions,
};

const PAGE = '1000';
const PAGES_MAX = 200;

/** `isHistory`: the venue takes no subaccount, and lists those of all. */
type List<Page, Row> = {
  path: string;
  shape: z.ZodType<Page>;
  rowsOf: (page: Page) => Row[] | null;
  isHistory?: boolean;
};

/** A whole list, page by page. */
export async function pages<Page extends { cursor: string | null }, Row>(
  context: ReadingContext,
  { path, shape, rowsOf, isHistory = false }: List<Page, Row>,
  query: Query,
  priority: ReadPriority = 'trading',
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const own = isHistory ? query : ofSubaccount(context, query);
    const asked: Query = { ...own, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const parsed = shape.safeParse(await context.api.get(path, asked, priority));
    if (!parsed.success) throw new VenueUnavailable(`a page of ${path} came in an unknown shape`);
    const rows = rowsOf(parsed.data) ?? [];
    all.push(...(isHistory ? rows.filter((row) => isOfSubaccount(context, row)) : rows));
    cursor = parsed.data.cursor;
    if (cursor === null) return all;
  }
  throw new VenueUnavailable(`the list of ${path} does not end`);
}

function isOfSubaccount({ subaccount }: ReadingContext, row: unknown): boolean {
  const { subaccount_number: of } = (row ?? {}) as { subaccount_number?: unknown };
  return subaccount === null || of == null || of === subaccount;
}

export function ofSubaccount({ subaccount }: ReadingContext, query: Query): Query {
  return subaccount === null ? query : { ...query, subaccount: String(subaccount) };
}

export function secondsText(ms: number): string {
  return String(Math.floor(instantFromMs(Math.max(0, ms)) / 1000));
}
