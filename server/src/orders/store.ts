import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { ORDER_SORTS, OrderStatus } from '@dutchbook/contract/orders.ts';
import { and, asc, count, eq, inArray, type SQL } from 'drizzle-orm';
import { orderedBy, textInsensitive } from '../world/ordering.ts';
import { batches, batchOrders } from '../world/schema.ts';
import type { Db } from '../world/world.ts';

export type OrderRow = typeof batchOrders.$inferSelect & { simulated: boolean };

export type OrderFilter = {
  opportunityId?: string | undefined;
  batchId?: string | undefined;
  status?: OrderStatus | undefined;
};

type OrderSort = (typeof ORDER_SORTS)[number];

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
  fee: batchOrders.fee,
  error: textInsensitive(batchOrders.error),
  created_at: batchOrders.createdAt,
  updated_at: batchOrders.updatedAt,
} satisfies Record<OrderSort, unknown>;

export async function listOrders(
  db: Db,
  filter: OrderFilter,
  page: { skip: number; limit: number; sortBy: OrderSort; sortOrder: SortOrder },
): Promise<{ rows: OrderRow[]; count: number }> {
  const where = matching(filter);
  const rows = await withBatch(db)
    .where(where)
    .orderBy(...orderedBy(SORT_COLUMNS[page.sortBy], page.sortOrder, batchOrders.id))
    .offset(page.skip)
    .limit(page.limit);
  const [total] = await db.select({ count: count() }).from(batchOrders).where(where);
  return { rows: rows.map(flattened), count: total?.count ?? 0 };
}

export async function readOrder(db: Db, id: string): Promise<OrderRow | null> {
  const [row] = await withBatch(db).where(eq(batchOrders.id, id));
  return row ? flattened(row) : null;
}

/** The orders of some batches, each batch's in the order of its opportunity's positions. */
export async function ordersOfBatches(db: Db, batchIds: readonly string[]): Promise<OrderRow[]> {
  if (batchIds.length === 0) return [];
  const rows = await withBatch(db)
    .where(inArray(batchOrders.batchId, [...batchIds]))
    .orderBy(asc(batchOrders.batchId), asc(batchOrders.ordinal));
  return rows.map(flattened);
}

function withBatch(db: Db) {
  return db
    .select({ order: batchOrders, simulated: batches.simulated })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .$dynamic();
}

function flattened(row: { order: typeof batchOrders.$inferSelect; simulated: boolean }): OrderRow {
  return { ...row.order, simulated: row.simulated };
}

function matching(filter: OrderFilter): SQL | undefined {
  return and(
    filter.opportunityId === undefined ? undefined : eq(batchOrders.opportunityId, filter.opportunityId),
    filter.batchId === undefined ? undefined : eq(batchOrders.batchId, filter.batchId),
    filter.status === undefined ? undefined : eq(batchOrders.status, filter.status),
  );
}
