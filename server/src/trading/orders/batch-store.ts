import type { BATCH_SORTS, BatchStatus } from '@dutchbook/contract/batches.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { Spent } from '@dutchbook/engine/batch/actions.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import {
  type AnyColumn,
  and,
  count,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { type Find, foundOpportunities, marketIdBeginsWith } from '../../market/opportunities/find.ts';
import { opportunities } from '../../market/opportunities/table.ts';
import { venueIn } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { holds, idBeginsWith } from '../../platform/database/find.ts';
import { literals } from '../../platform/database/literals.ts';
import { executeNamed } from '../../platform/database/named.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import {
  asWritten,
  indexOrder,
  isDeep,
  knownFirst,
  orderedBy,
  type Part,
  textInsensitive,
} from '../../platform/database/ordering.ts';
import { keepPreparedPages, type Preparable, pageKey } from '../../platform/database/prepared-pages.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { attempts, batches, batchOrders, fills, SERIES_BOUND, UNDECIDED_ATTEMPTS } from './table.ts';
import { hasOrdersAt } from './venue-in.ts';

export const ACTIVE_STATUSES = ['pending', 'processing', 'retry_pending'] as const satisfies readonly BatchStatus[];
export const RETRYABLE_STATUSES = ['failed', 'partial_completed'] as const satisfies readonly BatchStatus[];

/** Shares of some positions are held without the others. A simulated batch holds nothing. */
export const EXPOSED = and(eq(batches.simulated, false), isNotNull(batches.unhedged), ne(batches.status, 'sold'));

/** A batch as stored, and what else decides whether it can be retried: its opportunity, and sales of its shares that stand. */
export type BatchRow = typeof batches.$inferSelect & {
  opportunityExists: boolean;
  spent: Spent | null;
  /** The venues of its orders. */
  venues: VenueName[];
};

export type BatchFilter = {
  find?: Find | undefined;
  status?: BatchStatus | undefined;
  opportunityId?: string | undefined;
  /** Batches with an order at this venue. */
  venue?: VenueName | undefined;
  seriesId?: string | undefined;
  firstClips?: boolean | undefined;
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

/** Why a batch cannot be completed: shares were sold or are gone, or a market has resolved; as `planRemainder` needs it. */
const SPENT = sql<Spent | null>`(
  select case when bool_or(${batchOrders.soldSize} > 0) then 'sold' when bool_or(${batchOrders.goneSize} > 0) then 'gone'
    when bool_or(${batchOrders.side} = 'buy' and ${batchOrders.resolvedValue} is not null) then 'resolved' end
  from ${batchOrders} where ${batchOrders.batchId} = ${batches.id}
)`;

const VENUES = sql`array(
  select distinct ${venueIn(batchOrders.tokenId)} from ${batchOrders} where ${batchOrders.batchId} = ${batches.id} order by 1
)`;

/** A sale that is under way puts a retry off, and rules it out only where it sells something. */
const RETRYABLE_AFTER_SALE = and(
  inArray(batches.status, [...RETRYABLE_STATUSES]),
  lt(batches.retryCount, batches.maxRetries),
  OPPORTUNITY_EXISTS,
  isNull(SPENT),
);

const CAN_RETRY = sql`(${and(RETRYABLE_AFTER_SALE, eq(batches.saleUnderWay, false))})`;

export const SORT_COLUMNS = {
  id: batches.id,
  opportunity_id: batches.opportunityId,
  name: textInsensitive(batches.name),
  status: batches.status,
  total_orders: batches.totalOrders,
  expected_orders: batches.expectedOrders,
  order_size: batches.orderSize,
  size_bounded_by: SERIES_BOUND,
  series_id: batches.seriesId,
  clip_number: batches.clipNumber,
  target_price: batches.targetPrice,
  target_profit_usd: batches.targetProfit,
  actual_profit_usd: batches.actualProfit,
  retry_count: batches.retryCount,
  max_retries: batches.maxRetries,
  can_retry: CAN_RETRY,
  is_active: activeIs(true),
  is_final: sql`(${activeIs(false)} and not (${RETRYABLE_AFTER_SALE}))`,
  cancel_requested: sql`(${isNotNull(batches.cancelRequestedAt)})`,
  orders_in_doubt: batches.unknownOrders,
  simulated: batches.simulated,
  automatic: batches.automatic,
  clips_max: sql`case when ${batches.seriesId} is not null then (${batches.settings}->>'CLIPS_MAX')::int end`,
  dollars_free_since: batches.releasedAt,
  execution_started_at: batches.executionStartedAt,
  execution_completed_at: batches.executionCompletedAt,
  created_at: batches.createdAt,
  updated_at: batches.updatedAt,
  last_error: textInsensitive(batches.lastError),
} satisfies Record<BatchSort, AnyColumn | SQL>;

export type BatchPage = { skip: number; limit: number; sortBy: BatchSort; sortOrder: SortOrder };

const keptPage = keepPreparedPages<BatchRow>();
const keptCount = keepPreparedPages<{ count: number }>();

export async function listBatches(
  db: Db,
  filter: BatchFilter,
  page: BatchPage,
): Promise<{ rows: BatchRow[]; count: number }> {
  const key = keyOf(filter);
  const rows = await keptPage(db, pageKey(page, key), () => pageOfBatches(db, filter, page)).execute();
  const countAll = async () => (await keptCount(db, key, () => countOfBatches(db, filter)).execute())[0]?.count ?? 0;
  return { rows, count: await countWithPage(page, rows.length, countAll) };
}

export function pageOfBatches(
  db: Db,
  filter: BatchFilter,
  { skip, limit, sortBy, sortOrder }: BatchPage,
): SQLWrapper & Preparable<BatchRow> {
  const value = SORT_COLUMNS[sortBy];
  const part = ({ among, order }: Part) =>
    selectBatches(db)
      .where(and(among, matching(db, filter)))
      .orderBy(...order);
  const [from, to] = [asWritten(skip), asWritten(limit)];
  if (isDeep(skip)) {
    const order = orderedBy(value, sortOrder, batches.id);
    const ids = db.select({ id: batches.id }).from(batches).where(matching(db, filter));
    return part({
      among: inArray(
        batches.id,
        ids
          .orderBy(...order)
          .offset(from)
          .limit(to),
      ),
      order,
    });
  }
  if (sortBy !== 'actual_profit_usd')
    return part({ order: orderedBy(value, sortOrder, batches.id) })
      .offset(from)
      .limit(to);
  const { known, unknown } = knownFirst(batches.actualProfit, indexOrder(value, sortOrder, batches.id));
  const end = asWritten(skip + limit);
  return unionAll(part(known).limit(end), part(unknown).limit(end)).offset(from).limit(to);
}

function countOfBatches(db: Db, filter: BatchFilter): Preparable<{ count: number }> {
  return db.select({ count: count() }).from(batches).where(matching(db, filter));
}

/** All of them, oldest first. */
export function pagesOfBatches(
  db: Db,
  filter: BatchFilter & { ids?: readonly string[] | undefined },
): AsyncGenerator<BatchRow[]> {
  const { ids } = filter;
  return oldestFirst(batches, ({ after, order, limit }) =>
    selectBatches(db)
      .where(and(matching(db, filter), ids && inArray(batches.id, [...ids]), after))
      .orderBy(...order)
      .limit(limit),
  );
}

/** In any order. */
export async function readBatches(db: Db, ids: readonly string[]): Promise<BatchRow[]> {
  return ids.length === 0 ? [] : await selectBatches(db).where(inArray(batches.id, [...ids]));
}

export async function readBatch(db: Db, id: string): Promise<BatchRow | null> {
  const [row] = await selectBatches(db).where(eq(batches.id, id));
  return row ?? null;
}

/** The columns for the execution time of a batch. */
export type Execution = Pick<
  BatchRow,
  'id' | 'status' | 'executionStartedAt' | 'executionCompletedAt' | 'updatedAt' | 'splitStepId'
>;

/** The names of these batches; those without one are left out. */
export async function namesOfBatches(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, name } = batches;
  const rows = await db
    .select({ id, name })
    .from(batches)
    .where(inArray(id, [...new Set(ids)]));
  return new Map(rows.flatMap(({ id: batchId, name: called }) => (called === null ? [] : [[batchId, called]])));
}

/** Executions of the existing ones of these batches, in any order. */
export async function readExecutions(db: Db, ids: readonly string[]): Promise<Execution[]> {
  if (ids.length === 0) return [];
  const { id, status, executionStartedAt, executionCompletedAt, updatedAt, splitStepId } = batches;
  return await db
    .select({ id, status, executionStartedAt, executionCompletedAt, updatedAt, splitStepId })
    .from(batches)
    .where(inArray(id, [...ids]));
}

/** Reads the batch and locks it until the transaction ends. */
export async function lockBatch(tx: Db, id: string): Promise<BatchRow | null> {
  await tx.select({ id: batches.id }).from(batches).where(eq(batches.id, id)).for('update');
  return await readBatch(tx, id);
}

/**
 * Batches that a loop has to look at: active ones, ones that are being sold or that a user asked to poll, and
 * finished ones with fills to settle or orders still standing.
 */
export async function unfinishedBatchIds(
  db: Db,
  only: {
    batchId?: string | undefined;
    opportunityId?: string | undefined;
    partitions?: readonly number[] | null | undefined;
    venue?: VenueName | undefined;
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
    underWay(),
    isNotNull(batches.pollRequestedAt),
    inArray(batches.id, unsettled),
    inArray(batches.id, standing),
  );
  const chosen = and(
    only.batchId === undefined ? undefined : eq(batches.id, only.batchId),
    only.opportunityId === undefined ? undefined : eq(batches.opportunityId, only.opportunityId),
    inPartitions(batches.opportunityId, only.partitions ?? null),
    only.venue === undefined ? undefined : hasOrdersAt(batches.id, only.venue),
  );
  const rows = await db.select({ id: batches.id }).from(batches).where(and(unfinished, chosen));
  return rows.map(({ id }) => id);
}

/** Batches of which orders to buy or to sell are under way, of these partitions, all where it is null. */
export async function batchIdsUnderWay(db: Db, partitions: readonly number[] | null): Promise<string[]> {
  const rows = await db
    .select({ id: batches.id })
    .from(batches)
    .where(and(underWay(), inPartitions(batches.opportunityId, partitions)));
  return rows.map(({ id }) => id);
}

function underWay() {
  return or(inArray(batches.status, [...ACTIVE_STATUSES]), eq(batches.saleUnderWay, true));
}

/** The active batch of an opportunity; there is at most one. */
export async function activeBatchOf(db: Db, opportunityId: string): Promise<string | null> {
  const [active] = await executeNamed<{ id: string }>(db, activeBatch(opportunityId));
  return active?.id ?? null;
}

/** The query behind it, without a row where no opportunity is asked for. */
export function activeBatch(opportunityId: string | null): SQL {
  return sql`(select id from batches where opportunity_id = ${opportunityId}::uuid and status in (${literals(ACTIVE_STATUSES)}))`;
}

/** How many batches of the opportunity have been recorded, whatever has become of them; none is ever deleted. */
export async function batchCountOf(db: Db, opportunityId: string): Promise<number> {
  const [counted] = await batchCounts(db, opportunityId, null);
  return counted?.batches ?? 0;
}

/** The query behind it. `uneven`: how many clips of the series hold shares without the rest of their set. */
export function batchCounts(db: Db, opportunityId: string, seriesId: string | null) {
  const uneven = sql<number>`count(*) filter (where ${batches.seriesId} = ${seriesId} and ${isNotNull(batches.unhedged)})::int`;
  return db
    .select({ batches: sql<number>`count(*)::int`.as('batches'), uneven: uneven.as('uneven') })
    .from(batches)
    .where(eq(batches.opportunityId, opportunityId));
}

function selectBatches(db: Db) {
  return db
    .select({
      ...getTableColumns(batches),
      // Within another: of what is selected itself Drizzle leaves the names of the tables out.
      opportunityExists: sql<boolean>`${OPPORTUNITY_EXISTS}`,
      spent: sql<Spent | null>`${SPENT}`,
      venues: sql<VenueName[]>`${VENUES}`,
    })
    .from(batches)
    .$dynamic();
}

function keyOf({ status, isActive, canRetry, unhedged, firstClips, ...narrow }: BatchFilter): string | null {
  const isNarrow = Object.values(narrow).some((value) => value !== undefined);
  return isNarrow ? null : `${status} ${isActive} ${canRetry} ${unhedged} ${firstClips}`;
}

export function matching(db: Db, filter: BatchFilter): SQL | undefined {
  return and(
    filter.status === undefined ? undefined : eq(batches.status, filter.status),
    filter.opportunityId === undefined ? undefined : eq(batches.opportunityId, filter.opportunityId),
    filter.venue === undefined ? undefined : hasOrdersAt(batches.id, filter.venue),
    filter.seriesId === undefined ? undefined : eq(batches.seriesId, filter.seriesId),
    filter.firstClips === undefined ? undefined : firstClipIs(filter.firstClips),
    filter.isActive === undefined ? undefined : activeIs(filter.isActive),
    filter.canRetry === undefined ? undefined : retryableIs(filter.canRetry),
    filter.unhedged === undefined ? undefined : unhedgedIs(filter.unhedged),
    filter.minOrders === undefined ? undefined : gte(batches.totalOrders, filter.minOrders),
    filter.maxOrders === undefined ? undefined : lte(batches.totalOrders, filter.maxOrders),
    filter.find && isFound(db, filter.find),
  );
}

function isFound(db: Db, find: Find): SQL | undefined {
  const byMarket = db
    .select({ id: batchOrders.batchId })
    .from(batchOrders)
    .where(or(holds(batchOrders.marketName, find), marketIdBeginsWith(batchOrders.marketId, find)));
  return or(
    idBeginsWith(batches.id, find),
    idBeginsWith(batches.opportunityId, find),
    sql`${batches.opportunityId} in ${foundOpportunities(db, find)}`,
    inArray(batches.id, byMarket),
  );
}

function activeIs(active: boolean): SQL {
  return active ? inArray(batches.status, [...ACTIVE_STATUSES]) : notInArray(batches.status, [...ACTIVE_STATUSES]);
}

function firstClipIs(first: boolean): SQL {
  const isLater = sql`(${batches.seriesId} is not null and ${batches.seriesId} <> ${batches.id})`;
  return first ? sql`not ${isLater}` : isLater;
}

function unhedgedIs(unhedged: boolean): SQL {
  return unhedged ? sql`(${EXPOSED})` : sql`not (${EXPOSED})`;
}

function retryableIs(retryable: boolean): SQL {
  return retryable ? CAN_RETRY : sql`not ${CAN_RETRY}`;
}
