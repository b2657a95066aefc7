import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { ORDER_SORTS, OrderStatus } from '@dutchbook/contract/orders.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type AnyColumn, and, asc, countDistinct, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { isInDoubt } from '../trading/placing/batch-state.ts';
import { orderedBy, textInsensitive } from '../world/ordering.ts';
import { countedRows, totalOf } from '../world/row-counts.ts';
import { attempts, batches, batchOrders } from '../world/schema.ts';
import { inOrderOf, pageOfIds, readAsIs, readByIndex, readIds } from '../world/sorted-ids.ts';
import type { Db } from '../world/world.ts';
import { averagePrice, endedOrders } from './table.ts';

/** Of the attempt that was sent and not answered for: when, what the venue was last asked about it, and said. */
export type Doubt = { orderHash: string; since: Instant; askedAt: Instant | null; answer: string | null };

export type OrderRow = typeof batchOrders.$inferSelect & { simulated: boolean; doubt: Doubt | null };

export type OrderFilter = {
  opportunityId?: string | undefined;
  batchId?: string | undefined;
  status?: OrderStatus | undefined;
};

type OrderSort = (typeof ORDER_SORTS)[number];

export type OrderPage = { skip: number; limit: number; sortBy: OrderSort; sortOrder: SortOrder };

/** Orders under way, of which there are few. */
const LIVE_STATUSES = ['pending', 'processing', 'open', 'partially_filled'] as const satisfies readonly OrderStatus[];

/** Asked for apart from the join, which finding the batches of a page does without. */
const SIMULATED = sql`(select ${batches.simulated} from ${batches} where ${batches.id} = ${batchOrders.batchId})`;

/** What `batch_orders` has indexes for. */
const OWN_SORTS = {
  id: batchOrders.id,
  batch_id: batchOrders.batchId,
  opportunity_id: batchOrders.opportunityId,
  created_at: batchOrders.createdAt,
};
type OwnSort = keyof typeof OWN_SORTS;
const SORT_COLUMNS = { ...sortsOf(batchOrders), ...OWN_SORTS, simulated: SIMULATED } satisfies Record<
  OrderSort,
  unknown
>;
const ENDED_SORTS = { ...sortsOf(endedOrders), simulated: endedOrders.simulated } satisfies Record<
  Exclude<OrderSort, OwnSort>,
  unknown
>;

function sortsOf(orders: typeof batchOrders | typeof endedOrders) {
  return {
    leg: orders.leg,
    status: orders.status,
    market_id: textInsensitive(orders.marketId),
    market_name: textInsensitive(orders.marketName),
    token_id: textInsensitive(orders.tokenId),
    side: orders.side,
    outcome: textInsensitive(orders.outcome),
    size: orders.size,
    price: orders.price,
    filled_size: orders.filledSize,
    average_price: averagePrice(orders),
    fee: orders.fee,
    sold_size: orders.soldSize,
    sells_order_id: orders.sellsOrderId,
    attempts: orders.attemptCount,
    error: textInsensitive(orders.error),
    updated_at: orders.updatedAt,
  };
}

export async function listOrders(
  db: Db,
  filter: OrderFilter,
  page: OrderPage,
): Promise<{ rows: OrderRow[]; count: number }> {
  return { rows: await completed(db, await ordersOnPage(db, filter, page)), count: await countOrders(db, filter) };
}

async function ordersOnPage(db: Db, filter: OrderFilter, page: OrderPage): Promise<FoundOrder[]> {
  const { skip, limit, sortBy, sortOrder } = page;
  if (endedSortOf(filter, sortBy) === null) {
    const order = orderedBy(SORT_COLUMNS[sortBy], sortOrder, batchOrders.id);
    return await withBatch(db)
      .where(matching(filter))
      .orderBy(...order)
      .offset(skip)
      .limit(limit);
  }
  const ids = await readIds(db, pageOfOrders(filter, page));
  return inOrderOf(ids, await withBatch(db).where(inArray(batchOrders.id, ids)), ({ order }) => order.id);
}

/** What the ended ones are read by; null where the orders' own table finds all: by an index, or because they are few. */
function endedSortOf({ batchId, opportunityId }: OrderFilter, sortBy: OrderSort): AnyColumn | SQL | null {
  const areFew = batchId !== undefined || opportunityId !== undefined;
  return areFew || isOwnSort(sortBy) ? null : ENDED_SORTS[sortBy];
}

function isOwnSort(sortBy: OrderSort): sortBy is OwnSort {
  return sortBy in OWN_SORTS;
}

/** The statement for the ids of the orders of a page, or of their batches: of those under way, and of those that ended. */
export function pageOfOrders(filter: OrderFilter, page: OrderPage, asked: 'id' | 'batchId' = 'id'): SQL {
  const { sortBy, sortOrder } = page;
  const own = { from: batchOrders, id: batchOrders.id, value: SORT_COLUMNS[sortBy], asked: batchOrders[asked] };
  const value = endedSortOf(filter, sortBy);
  if (value === null) return pageOfIds([readAsIs({ ...own, where: matching(filter) }, sortOrder)], page);
  const { status } = filter;
  const live = { ...own, where: and(inArray(batchOrders.status, [...LIVE_STATUSES]), matching({ status })) };
  const ended = {
    from: endedOrders,
    where: status === undefined ? undefined : eq(endedOrders.status, status),
    id: endedOrders.id,
    value,
    asked: endedOrders[asked],
  };
  return pageOfIds([readAsIs(live, sortOrder), ...readByIndex(ended, sortOrder)], page);
}

/** Those of one batch or opportunity are few and counted one by one. */
async function countOrders(db: Db, filter: OrderFilter): Promise<number> {
  const { status, batchId, opportunityId } = filter;
  if (batchId !== undefined || opportunityId !== undefined) return await db.$count(batchOrders, matching(filter));
  return totalOf(await countedRows(db, 'batch_orders', { statuses: status && [status] }));
}

/** The same orders with those of one batch together; `skip`, `limit` and `count` are of batches. */
export async function listOrdersByBatch(
  db: Db,
  filter: OrderFilter,
  page: OrderPage,
): Promise<{ rows: OrderRow[]; count: number }> {
  const batchIds = (await batchesInOrder(db, filter, page)).slice(page.skip);
  const rows =
    batchIds.length === 0
      ? []
      : await withBatch(db)
          .where(and(matching(filter), ofBatches(batchIds)))
          .orderBy(...orderedBy(SORT_COLUMNS[page.sortBy], page.sortOrder, batchOrders.id));
  const places = new Map(batchIds.map((id, place) => [id, place]));
  const placeOf = ({ order: { batchId } }: FoundOrder) => places.get(batchId) ?? 0;
  const together = rows.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { rows: await completed(db, together), count: await countBatches(db, filter) };
}

/** Most batches have fewer orders; where they have more, more orders are read. */
const ORDERS_PER_BATCH = 16;

/** The batches up to the end of the page, each in the place of its first order: orders are read until there are enough. */
async function batchesInOrder(db: Db, filter: OrderFilter, page: OrderPage): Promise<string[]> {
  const upTo = page.skip + page.limit;
  for (let many = upTo * ORDERS_PER_BATCH; ; many *= 4) {
    const read = await readIds(db, pageOfOrders(filter, { ...page, skip: 0, limit: many }, 'batchId'));
    const batchIds = [...new Set(read)];
    if (batchIds.length >= upTo || read.length < many) return batchIds.slice(0, upTo);
  }
}

/** There is no batch without orders. */
async function countBatches(db: Db, filter: OrderFilter): Promise<number> {
  const where = matching(filter);
  if (where === undefined) return totalOf(await countedRows(db, 'batches'));
  const [total] = await db
    .select({ count: countDistinct(batchOrders.batchId) })
    .from(batchOrders)
    .where(where);
  return total?.count ?? 0;
}

export async function readOrder(db: Db, id: string): Promise<OrderRow | null> {
  const [row] = await withBatch(db).where(eq(batchOrders.id, id));
  const [found = null] = row ? await completed(db, [row]) : [];
  return found;
}

/** The orders of some batches, each batch's in the order of its opportunity's positions. */
export async function ordersOfBatches(db: Db, batchIds: readonly string[]): Promise<OrderRow[]> {
  if (batchIds.length === 0) return [];
  const rows = await withBatch(db)
    .where(ofBatches(batchIds))
    .orderBy(asc(batchOrders.batchId), asc(batchOrders.ordinal));
  return await completed(db, rows);
}

/** Said of both tables that are joined, or PostgreSQL reads all batches to find these. */
function ofBatches(batchIds: readonly string[]): SQL | undefined {
  return and(inArray(batchOrders.batchId, [...batchIds]), inArray(batches.id, [...batchIds]));
}

function withBatch(db: Db) {
  return db
    .select({ order: batchOrders, simulated: batches.simulated })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .$dynamic();
}

type FoundOrder = { order: typeof batchOrders.$inferSelect; simulated: boolean };

/** With what is in doubt about them, which one query answers for all. */
async function completed(db: Db, found: readonly FoundOrder[]): Promise<OrderRow[]> {
  const doubts = await doubtsAbout(
    db,
    found.map(({ order }) => order.id),
  );
  return found.map(({ order, simulated }) => ({ ...order, simulated, doubt: doubts.get(order.id) ?? null }));
}

async function doubtsAbout(db: Db, orderIds: readonly string[]): Promise<Map<string, Doubt>> {
  if (orderIds.length === 0) return new Map();
  const sent = await db
    .select()
    .from(attempts)
    .where(and(inArray(attempts.orderId, [...orderIds]), eq(attempts.status, 'sent')))
    .orderBy(desc(attempts.createdAt));
  return new Map(
    sent
      .filter(isInDoubt)
      .map(({ orderId, orderHash, sentAt, createdAt, askedAt, lookupAnswer, reason }) => [
        orderId,
        { orderHash, since: sentAt ?? createdAt, askedAt, answer: lookupAnswer ?? reason },
      ]),
  );
}

function matching(filter: OrderFilter): SQL | undefined {
  return and(
    filter.opportunityId === undefined ? undefined : eq(batchOrders.opportunityId, filter.opportunityId),
    filter.batchId === undefined ? undefined : eq(batchOrders.batchId, filter.batchId),
    filter.status === undefined ? undefined : eq(batchOrders.status, filter.status),
  );
}
