import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { ORDER_SORTS, OrderStatus } from '@dutchbook/contract/orders.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, countDistinct, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { isInDoubt } from '../trading/placing/batch-state.ts';
import { orderedBy, textInsensitive } from '../world/ordering.ts';
import { countedRows, totalOf } from '../world/row-counts.ts';
import { attempts, batches, batchOrders } from '../world/schema.ts';
import type { Db } from '../world/world.ts';

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

/** As it is served, rounded against us; the product can outgrow a bigint. */
const AVERAGE_PRICE = sql`case when ${batchOrders.filledSize} > 0 then div(
  ${batchOrders.filledCost}::numeric * 1000000
    + case ${batchOrders.side} when 'buy' then ${batchOrders.filledSize} - 1 else 0 end,
  ${batchOrders.filledSize}
) end`;

/** Asked for apart from the join, which finding the batches of a page does without. */
const SIMULATED = sql`exists (
  select 1 from ${batches} where ${batches.id} = ${batchOrders.batchId} and ${batches.simulated}
)`;

const SORT_COLUMNS = {
  id: batchOrders.id,
  batch_id: batchOrders.batchId,
  opportunity_id: batchOrders.opportunityId,
  leg: batchOrders.leg,
  status: batchOrders.status,
  market_id: textInsensitive(batchOrders.marketId),
  market_name: textInsensitive(batchOrders.marketName),
  token_id: batchOrders.tokenId,
  side: batchOrders.side,
  outcome: textInsensitive(batchOrders.outcome),
  size: batchOrders.size,
  price: batchOrders.price,
  filled_size: batchOrders.filledSize,
  average_price: AVERAGE_PRICE,
  fee: batchOrders.fee,
  sold_size: batchOrders.soldSize,
  sells_order_id: batchOrders.sellsOrderId,
  simulated: SIMULATED,
  attempts: batchOrders.attemptCount,
  error: textInsensitive(batchOrders.error),
  created_at: batchOrders.createdAt,
  updated_at: batchOrders.updatedAt,
} satisfies Record<OrderSort, unknown>;

export async function listOrders(
  db: Db,
  filter: OrderFilter,
  page: OrderPage,
): Promise<{ rows: OrderRow[]; count: number }> {
  const where = matching(filter);
  const rows = await withBatch(db)
    .where(where)
    .orderBy(...orderedBy(SORT_COLUMNS[page.sortBy], page.sortOrder, batchOrders.id))
    .offset(page.skip)
    .limit(page.limit);
  return { rows: await completed(db, rows), count: await countOrders(db, filter) };
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
  const where = matching(filter);
  const order = orderedBy(SORT_COLUMNS[page.sortBy], page.sortOrder, batchOrders.id);
  const batchIds = (await batchesInOrder(db, where, order, page.skip + page.limit)).slice(page.skip);
  const rows =
    batchIds.length === 0
      ? []
      : await withBatch(db)
          .where(and(where, ofBatches(batchIds)))
          .orderBy(...order);
  const places = new Map(batchIds.map((id, place) => [id, place]));
  const placeOf = ({ order: { batchId } }: FoundOrder) => places.get(batchId) ?? 0;
  const together = rows.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { rows: await completed(db, together), count: await countBatches(db, filter) };
}

/** Most batches have fewer orders; where they have more, more orders are read. */
const ORDERS_PER_BATCH = 16;

/** The first `upTo` batches, each in the place of its first order, found by reading orders until there are enough. */
async function batchesInOrder(db: Db, where: SQL | undefined, order: SQL[], upTo: number): Promise<string[]> {
  for (let many = upTo * ORDERS_PER_BATCH; ; many *= 4) {
    const rows = await db
      .select({ batchId: batchOrders.batchId })
      .from(batchOrders)
      .where(where)
      .orderBy(...order)
      .limit(many);
    const batchIds = [...new Set(rows.map(({ batchId }) => batchId))];
    if (batchIds.length >= upTo || rows.length < many) return batchIds.slice(0, upTo);
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
