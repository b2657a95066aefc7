import type { BATCH_SORTS, BatchStatus } from '@dutchbook/contract/batches.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, count, eq, gte, inArray, isNotNull, lt, lte, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { inShares } from '../engines/in-shares.ts';
import { orderedBy, textInsensitive } from '../world/ordering.ts';
import { countedRows, totalOf } from '../world/row-counts.ts';
import { attempts, batches, batchOrders, fills, opportunities, UNDECIDED_ATTEMPTS } from '../world/schema.ts';
import { inOrderOf, pageOfIds, readAsIs, readByIndex, readIds, readInHalves } from '../world/sorted-ids.ts';
import type { Db } from '../world/world.ts';
import { endedBatches } from './table.ts';

export const ACTIVE_STATUSES = ['pending', 'processing', 'retry_pending'] as const satisfies readonly BatchStatus[];
export const RETRYABLE_STATUSES = ['failed', 'partial_completed'] as const satisfies readonly BatchStatus[];

/** Shares of some positions are held without the others. A simulated batch holds nothing. */
export const EXPOSED = and(eq(batches.simulated, false), isNotNull(batches.unhedged), ne(batches.status, 'sold'));

/** A batch as stored, and what else decides whether it can be retried: its opportunity, and sales of its shares that stand. */
export type BatchRow = typeof batches.$inferSelect & { opportunityExists: boolean; anythingSold: boolean };

export type BatchFilter = {
  status?: BatchStatus | undefined;
  opportunityId?: string | undefined;
  isActive?: boolean | undefined;
  canRetry?: boolean | undefined;
  unhedged?: boolean | undefined;
  minOrders?: number | undefined;
  maxOrders?: number | undefined;
};

type BatchSort = (typeof BATCH_SORTS)[number];

/** A value of each row: joined, or asked as `exists`, all opportunities may be read to answer for a few batches. */
const OPPORTUNITY_EXISTS = sql<boolean>`((
  select ${opportunities.id} from ${opportunities} where ${opportunities.id} = ${batches.opportunityId}
) is not null)`;

const ANYTHING_SOLD = sql<boolean>`exists (
  select 1 from ${batchOrders} where ${batchOrders.batchId} = ${batches.id} and ${batchOrders.soldSize} > 0
)`;

/** A sale that is under way puts a retry off, and rules it out only where it sells something. */
const RETRYABLE_AFTER_SALE = and(
  inArray(batches.status, [...RETRYABLE_STATUSES]),
  lt(batches.retryCount, batches.maxRetries),
  OPPORTUNITY_EXISTS,
  not(ANYTHING_SOLD),
);

const CAN_RETRY = sql`(${and(RETRYABLE_AFTER_SALE, eq(batches.saleUnderWay, false))})`;

/** What `batches` has indexes for. */
const OWN_SORTS = { id: batches.id, opportunity_id: batches.opportunityId, created_at: batches.createdAt };
type OwnSort = keyof typeof OWN_SORTS;
/** What no index can know, since other rows decide it, or what is the same for all that ended. */
const ENDED_HALVES = { can_retry: CAN_RETRY, is_final: sql`(not (${RETRYABLE_AFTER_SALE}))`, is_active: sql`false` };
type HalvedSort = keyof typeof ENDED_HALVES;

const SORT_COLUMNS = {
  ...sortsOf(batches),
  ...OWN_SORTS,
  can_retry: CAN_RETRY,
  is_final: sql`(${activeIs(false)} and not (${RETRYABLE_AFTER_SALE}))`,
  is_active: activeIs(true),
} satisfies Record<BatchSort, unknown>;
const ENDED_SORTS = sortsOf(endedBatches) satisfies Record<Exclude<BatchSort, OwnSort | HalvedSort>, unknown>;

function sortsOf(sorted: typeof batches | typeof endedBatches) {
  return {
    status: sorted.status,
    total_orders: sorted.totalOrders,
    expected_orders: sorted.expectedOrders,
    order_size: sorted.orderSize,
    target_price: sorted.targetPrice,
    target_profit_usd: sorted.targetProfit,
    actual_profit_usd: sorted.actualProfit,
    retry_count: sorted.retryCount,
    max_retries: sorted.maxRetries,
    cancel_requested: sql`(${isNotNull(sorted.cancelRequestedAt)})`,
    orders_in_doubt: sorted.ordersInDoubt,
    simulated: sorted.simulated,
    automatic: sorted.automatic,
    execution_started_at: sorted.executionStartedAt,
    execution_completed_at: sorted.executionCompletedAt,
    updated_at: sorted.updatedAt,
    last_error: textInsensitive(sorted.lastError),
  };
}

export type BatchPage = { skip: number; limit: number; sortBy: BatchSort; sortOrder: SortOrder };

export async function listBatches(
  db: Db,
  filter: BatchFilter,
  page: BatchPage,
): Promise<{ rows: BatchRow[]; count: number }> {
  return { rows: await batchesOnPage(db, filter, page), count: await countMatching(db, filter) };
}

async function batchesOnPage(db: Db, filter: BatchFilter, page: BatchPage): Promise<BatchRow[]> {
  const { skip, limit, sortBy, sortOrder } = page;
  if (!isOwnSort(sortBy) && !areFew(filter)) {
    const ids = await readIds(db, pageOfBatches(filter, { ...page, sortBy }));
    return inOrderOf(ids, await readBatches(db, ids), ({ id }) => id);
  }
  const order = orderedBy(SORT_COLUMNS[sortBy], sortOrder, batches.id);
  const rows = await withOpportunity(db)
    .where(matching(filter))
    .orderBy(...order)
    .offset(skip)
    .limit(limit);
  return rows.map(flattened);
}

function areFew({ opportunityId, unhedged, status, isActive }: BatchFilter): boolean {
  const areActive = isActive === true || ACTIVE_STATUSES.some((active) => active === status);
  return areActive || unhedged === true || opportunityId !== undefined;
}

export function isOwnSort(sortBy: BatchSort): sortBy is OwnSort {
  return sortBy in OWN_SORTS;
}

export function isHalvedSort(sortBy: BatchSort): sortBy is HalvedSort {
  return sortBy in ENDED_HALVES;
}

/** The statement for the ids of the batches of a page: of those that are active, and of those that ended. */
export function pageOfBatches(filter: BatchFilter, page: BatchPage & { sortBy: Exclude<BatchSort, OwnSort> }): SQL {
  const { sortBy, sortOrder } = page;
  const where = matching(filter);
  const part = (active: boolean) => ({ from: batches, where: and(activeIs(active), where), id: batches.id });
  const active = readAsIs({ ...part(true), value: SORT_COLUMNS[sortBy] }, sortOrder);
  if (isHalvedSort(sortBy)) {
    const ended = { ...part(false), value: ENDED_HALVES[sortBy] };
    return pageOfIds([active, ...readInHalves(ended, sortOrder)], page);
  }
  const withBatch = sql`${endedBatches} join ${batches} on ${batches.id} = ${endedBatches.id}`;
  const from = where === undefined ? endedBatches : withBatch;
  const ended = { from, where, id: endedBatches.id, value: ENDED_SORTS[sortBy] };
  return pageOfIds([active, ...readByIndex(ended, sortOrder)], page);
}

/** By status alone from counts that are kept, by anything else one by one. */
async function countMatching(db: Db, filter: BatchFilter): Promise<number> {
  const { status, isActive, ...others } = filter;
  if (Object.values(others).every((value) => value === undefined) && isActive !== false) {
    const among = isActive ? ACTIVE_STATUSES.filter((one) => status === undefined || one === status) : undefined;
    return totalOf(await countedRows(db, 'batches', { statuses: among ?? (status && [status]) }));
  }
  const [total] = await db.select({ count: count() }).from(batches).where(matching(filter));
  return total?.count ?? 0;
}

export async function readBatch(db: Db, id: string): Promise<BatchRow | null> {
  const [row] = await withOpportunity(db).where(eq(batches.id, id));
  return row ? flattened(row) : null;
}

/** Those of these batches that exist, in any order. */
export async function readBatches(db: Db, ids: readonly string[]): Promise<BatchRow[]> {
  if (ids.length === 0) return [];
  const rows = await withOpportunity(db).where(inArray(batches.id, [...ids]));
  return rows.map(flattened);
}

/** The batch, which nobody else changes until the transaction ends. */
export async function lockBatch(tx: Db, id: string): Promise<BatchRow | null> {
  await tx.select({ id: batches.id }).from(batches).where(eq(batches.id, id)).for('update');
  return await readBatch(tx, id);
}

/**
 * Batches that a loop has to look at: active ones, ones that are being sold or of which somebody wants to know, and
 * finished ones with fills to settle or orders still standing.
 */
export async function unfinishedBatchIds(
  db: Db,
  only: {
    batchId?: string | undefined;
    opportunityId?: string | undefined;
    shares?: readonly number[] | null | undefined;
  } = {},
): Promise<string[]> {
  const unsettled = db
    .select({ id: fills.batchId })
    .from(fills)
    .where(notInArray(fills.settlement, ['confirmed', 'failed']));
  const standing = db
    .select({ id: attempts.batchId })
    .from(attempts)
    .where(inArray(attempts.status, [...UNDECIDED_ATTEMPTS]));
  const unfinished = or(
    inArray(batches.status, [...ACTIVE_STATUSES]),
    eq(batches.saleUnderWay, true),
    isNotNull(batches.lookRequestedAt),
    inArray(batches.id, unsettled),
    inArray(batches.id, standing),
  );
  const chosen = and(
    only.batchId === undefined ? undefined : eq(batches.id, only.batchId),
    only.opportunityId === undefined ? undefined : eq(batches.opportunityId, only.opportunityId),
    inShares(batches.opportunityId, only.shares ?? null),
  );
  const rows = await db.select({ id: batches.id }).from(batches).where(and(unfinished, chosen));
  return rows.map(({ id }) => id);
}

/** The active batch of an opportunity; there is at most one. */
export async function activeBatchOf(db: Db, opportunityId: string): Promise<string | null> {
  const [active] = await activeBatches(db, opportunityId);
  return active?.id ?? null;
}

export function activeBatches(db: Db, opportunityId: string) {
  return db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.opportunityId, opportunityId), inArray(batches.status, [...ACTIVE_STATUSES])));
}

/** Whether any batch of the opportunity was recorded at or after `since`, whatever has become of it. */
export async function wasPlacedSince(db: Db, opportunityId: string, since: Instant): Promise<boolean> {
  const [later] = await db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.opportunityId, opportunityId), gte(batches.createdAt, since)))
    .limit(1);
  return later !== undefined;
}

function withOpportunity(db: Db) {
  return db
    .select({ batch: batches, opportunityId: opportunities.id, anythingSold: ANYTHING_SOLD })
    .from(batches)
    .leftJoin(opportunities, eq(opportunities.id, batches.opportunityId))
    .$dynamic();
}

type FoundBatch = { batch: typeof batches.$inferSelect; opportunityId: string | null; anythingSold: boolean };

function flattened({ batch, opportunityId, anythingSold }: FoundBatch): BatchRow {
  return { ...batch, opportunityExists: opportunityId !== null, anythingSold };
}

function matching(filter: BatchFilter): SQL | undefined {
  return and(
    filter.status === undefined ? undefined : eq(batches.status, filter.status),
    filter.opportunityId === undefined ? undefined : eq(batches.opportunityId, filter.opportunityId),
    filter.isActive === undefined ? undefined : activeIs(filter.isActive),
    filter.canRetry === undefined ? undefined : retryableIs(filter.canRetry),
    filter.unhedged === undefined ? undefined : unhedgedIs(filter.unhedged),
    filter.minOrders === undefined ? undefined : gte(batches.totalOrders, filter.minOrders),
    filter.maxOrders === undefined ? undefined : lte(batches.totalOrders, filter.maxOrders),
  );
}

function activeIs(active: boolean): SQL {
  return active ? inArray(batches.status, [...ACTIVE_STATUSES]) : notInArray(batches.status, [...ACTIVE_STATUSES]);
}

function unhedgedIs(unhedged: boolean): SQL {
  return unhedged ? sql`(${EXPOSED})` : sql`not (${EXPOSED})`;
}

function retryableIs(retryable: boolean): SQL {
  return retryable ? CAN_RETRY : sql`not ${CAN_RETRY}`;
}
