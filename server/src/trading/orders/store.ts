import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { SizeBound } from '@dutchbook/contract/notes/size-words.ts';
import type { ORDER_SORTS, OrderSide, OrderStatus } from '@dutchbook/contract/orders.ts';
import { firstSentAt } from '@dutchbook/engine/order/attempt.ts';
import type { MarketId, OrderName, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import {
  type AnyColumn,
  and,
  asc,
  count,
  countDistinct,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type Find, foundOpportunities, marketIdBeginsWith } from '../../market/opportunities/find.ts';
import { venueIn } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { holds, idBeginsWith } from '../../platform/database/find.ts';
import { fromJsonOf, type JsonRow } from '../../platform/database/json-rows.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import { asWritten, isDeep, orderedBy, textInsensitive } from '../../platform/database/ordering.ts';
import { keepPreparedPages, type Preparable, pageKey } from '../../platform/database/prepared-pages.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { answerAbout } from './attempt-wording.ts';
import { type AttemptRecord, attemptsOf, type BatchState, holdersOf } from './batch-state.ts';
import { attempts, batches, batchOrders, SERIES_BOUND, seriesBound } from './table.ts';

/** The attempt of unknown outcome: when it was sent, and the venue's last answer about it. */
export type UnknownOutcome = { orderHash: OrderName; since: Instant; askedAt: Instant | null; answer: string | null };

/** Columns from the order's batch; `sizeBoundedBy`: the bound of the batch's size, for buys. */
type OfBatch = { simulated: boolean; batchName: string | null; sizeBoundedBy: SizeBound | null };

export type OrderRow = typeof batchOrders.$inferSelect & OfBatch & { unknownOutcome: UnknownOutcome | null };

export type OrderFilter = {
  find?: Find | undefined;
  opportunityId?: string | undefined;
  batchId?: string | undefined;
  venue?: VenueName | undefined;
  status?: OrderStatus | undefined;
  side?: OrderSide | undefined;
  marketId?: MarketId | undefined;
  hasError?: boolean | undefined;
  unknown?: boolean | undefined;
};

type OrderSort = (typeof ORDER_SORTS)[number];

export type OrderPage = { skip: number; limit: number; sortBy: OrderSort; sortOrder: SortOrder };

/** Values of each row, which are asked for only of those on the page, and not of all that are sorted. */
const SIMULATED = sql<boolean>`(select ${batches.simulated} from ${batches} where ${batches.id} = ${batchOrders.batchId})`;
const SIZE_BOUNDED_BY = sql<SizeBound | null>`(case when ${batchOrders.side} = 'buy' then (
  select ${SERIES_BOUND} from ${batches} where ${batches.id} = ${batchOrders.batchId}
) end)`;
const BATCH_NAME = sql<
  string | null
>`(select ${batches.name} from ${batches} where ${batches.id} = ${batchOrders.batchId})`;
/** Looked for among the few attempts whose outcome is unknown. */
const UNKNOWN_ATTEMPT = sql<JsonRow | null>`(
  select to_json(${attempts}) from ${attempts}
  where ${attempts.status} = 'unknown' and ${attempts.batchId} = ${batchOrders.batchId}
    and ${attempts.orderId} = ${batchOrders.id}
  limit 1
)`;

/** Orders that hold the shares of a split, which count among the expected orders of their batch. */
const IS_SPLIT = sql`(${batchOrders.chainStepId} in (select ${batches.splitStepId} from ${batches} where ${batches.splitStepId} is not null))`;

const IS_UNKNOWN = sql`(${batchOrders.id} in (select ${attempts.orderId} from ${attempts} where ${attempts.status} = 'unknown'))`;

/** As it is served, rounded against us, or null; the product can outgrow a bigint. */
const AVERAGE_PRICE = sql`(case when ${batchOrders.filledSize} > 0 then div(
  ${batchOrders.filledCost}::numeric * 1000000 + case ${batchOrders.side} when 'buy' then ${batchOrders.filledSize} - 1 else 0 end,
  ${batchOrders.filledSize}
) end)`;

const SORT_COLUMNS = {
  id: batchOrders.id,
  batch_id: batchOrders.batchId,
  batch_name: textInsensitive(BATCH_NAME),
  opportunity_id: batchOrders.opportunityId,
  leg: batchOrders.leg,
  status: batchOrders.status,
  market_id: textInsensitive(batchOrders.marketId),
  market_name: textInsensitive(batchOrders.marketName),
  token_id: textInsensitive(batchOrders.tokenId),
  side: batchOrders.side,
  outcome: textInsensitive(batchOrders.outcome),
  size: batchOrders.size,
  size_bounded_by: SIZE_BOUNDED_BY,
  price: batchOrders.price,
  filled_size: batchOrders.filledSize,
  average_price: AVERAGE_PRICE,
  fee: batchOrders.fee,
  sold_size: batchOrders.soldSize,
  sells_order_id: batchOrders.sellsOrderId,
  chain_step_id: batchOrders.chainStepId,
  submission_id: batchOrders.submissionId,
  submission_purpose: batchOrders.submissionPurpose,
  // Asked once for all that are sorted.
  simulated: sql`(${batchOrders.batchId} in (select ${batches.id} from ${batches} where ${batches.simulated}))`,
  attempts: batchOrders.attemptCount,
  error: textInsensitive(batchOrders.error),
  created_at: batchOrders.createdAt,
  updated_at: batchOrders.updatedAt,
} satisfies Record<OrderSort, AnyColumn | SQL>;

const keptPage = keepPreparedPages<FoundOrder>();
const keptCount = keepPreparedPages<{ count: number }>();

export async function listOrders(
  db: Db,
  filter: OrderFilter,
  page: OrderPage,
): Promise<{ rows: OrderRow[]; count: number }> {
  const key = keyOf(filter);
  const found = await keptPage(db, pageKey(page, key), () => pageOfOrders(db, filter, page)).execute();
  const rows = found.map(orderRow);
  const countAll = async () => (await keptCount(db, key, () => countOfOrders(db, filter)).execute())[0]?.count ?? 0;
  return { rows, count: await countWithPage(page, rows.length, countAll) };
}

/** Counts buys as the expected orders of batches, which are far fewer rows; other orders are counted one by one. */
export function countOfOrders(db: Db, filter: OrderFilter): SQLWrapper & Preparable<{ count: number }> {
  const where = matching(db, filter);
  if (where !== undefined) return db.select({ count: count() }).from(batchOrders).where(where);
  const sells = db.select({ count: count() }).from(batchOrders).where(eq(batchOrders.side, 'sell'));
  const handedOut = db
    .select({ count: count() })
    .from(batchOrders)
    .where(and(isNotNull(batchOrders.chainStepId), eq(batchOrders.side, 'buy'), not(IS_SPLIT)));
  return db
    .select({ count: sql`coalesce(sum(${batches.expectedOrders}), 0) + (${sells}) + (${handedOut})`.mapWith(Number) })
    .from(batches);
}

export function pageOfOrders(
  db: Db,
  filter: OrderFilter,
  { skip, limit, sortBy, sortOrder }: OrderPage,
): SQLWrapper & Preparable<FoundOrder> {
  const order = orderedBy(SORT_COLUMNS[sortBy], sortOrder, batchOrders.id);
  const [from, to] = [asWritten(skip), asWritten(limit)];
  const found = matching(db, filter);
  if (!isDeep(skip))
    return selectOrders(db)
      .where(found)
      .orderBy(...order)
      .offset(from)
      .limit(to);
  const { id } = batchOrders;
  const ids = db.select({ id }).from(batchOrders).where(found);
  return selectOrders(db)
    .where(
      inArray(
        id,
        ids
          .orderBy(...order)
          .offset(from)
          .limit(to),
      ),
    )
    .orderBy(...order);
}

/** All of them, oldest first. */
export function pagesOfOrders(
  db: Db,
  filter: OrderFilter & { ids?: readonly string[] | undefined },
): AsyncGenerator<OrderRow[]> {
  const { ids } = filter;
  return oldestFirst(batchOrders, async ({ after, order, limit }) => {
    const rows = await selectOrders(db)
      .where(and(matching(db, filter), ids && inArray(batchOrders.id, [...ids]), after))
      .orderBy(...order)
      .limit(limit);
    return rows.map(orderRow);
  });
}

/** The batches of these orders, each in the place of its first one; `skip`, `limit` and `count` are of batches. */
export async function listBatchesOfOrders(
  db: Db,
  filter: OrderFilter,
  page: OrderPage,
): Promise<{ batchIds: string[]; count: number }> {
  const prefix = await batchesInOrder(db, filter, page, (page.skip + page.limit) * ORDERS_PER_BATCH);
  const batchIds = prefix.length === page.limit ? prefix : await batchesInOrder(db, filter, page, null);
  return { batchIds, count: await countWithPage(page, batchIds.length, () => countBatches(db, filter)) };
}

/** The orders of these batches. */
export async function listOrdersOfBatches(
  db: Db,
  filter: OrderFilter,
  { sortBy, sortOrder }: Pick<OrderPage, 'sortBy' | 'sortOrder'>,
  batchIds: readonly string[],
): Promise<OrderRow[]> {
  const found = await selectOrders(db)
    .where(and(matching(db, filter), inArray(batchOrders.batchId, [...batchIds])))
    .orderBy(...orderedBy(SORT_COLUMNS[sortBy], sortOrder, batchOrders.id));
  return found.map(orderRow);
}

/** Most batches have fewer orders: a page is mostly found among so many. */
const ORDERS_PER_BATCH = 16;

/** A page of batches, each in the place of its first order among the first `orders` that match, or among all of them. */
async function batchesInOrder(
  db: Db,
  filter: OrderFilter,
  { skip, limit, sortBy, sortOrder }: OrderPage,
  orders: number | null,
): Promise<string[]> {
  const order = orderedBy(SORT_COLUMNS[sortBy], sortOrder, batchOrders.id);
  const place = sql<number>`row_number() over (order by ${sql.join(order, sql`, `)})`.as('place');
  const matched = db
    .select({ batchId: batchOrders.batchId, place })
    .from(batchOrders)
    .where(matching(db, filter))
    .$dynamic();
  const read = (orders === null ? matched : matched.orderBy(...order).limit(orders)).as('read');
  const rows = await db
    .select({ batchId: read.batchId })
    .from(read)
    .groupBy(read.batchId)
    .orderBy(sql`min(${read.place})`)
    .offset(skip)
    .limit(limit);
  return rows.map(({ batchId }) => batchId);
}

/** There is no batch without orders. */
async function countBatches(db: Db, filter: OrderFilter): Promise<number> {
  const where = matching(db, filter);
  if (where === undefined) return await db.$count(batches);
  const [total] = await db
    .select({ count: countDistinct(batchOrders.batchId) })
    .from(batchOrders)
    .where(where);
  return total?.count ?? 0;
}

export async function readOrder(db: Db, id: string): Promise<OrderRow | null> {
  const [row] = await selectOrders(db).where(eq(batchOrders.id, id));
  return row === undefined ? null : orderRow(row);
}

/** The orders of some batches, each batch's in the order of its opportunity's positions. */
export async function ordersOfBatches(db: Db, batchIds: readonly string[]): Promise<OrderRow[]> {
  if (batchIds.length === 0) return [];
  const rows = await selectOrders(db)
    .where(inArray(batchOrders.batchId, [...batchIds]))
    .orderBy(asc(batchOrders.batchId), asc(batchOrders.ordinal));
  return rows.map(orderRow);
}

/** The rows of one batch whose state is known, its sell orders last. */
export function ordersOfState(state: BatchState): OrderRow[] {
  const { simulated, name: batchName } = state.batch;
  return [...holdersOf(state), ...state.sales].map((order) => {
    const unknown = attemptsOf(state, order.id).find(({ status }) => status === 'unknown');
    const bound = order.side === 'buy' ? seriesBound(state.batch) : null;
    return {
      ...order,
      simulated,
      batchName,
      sizeBoundedBy: bound,
      unknownOutcome: unknown === undefined ? null : outcomeOf(unknown),
    };
  });
}

type FoundOrder = typeof batchOrders.$inferSelect & OfBatch & { unknownAttempt: JsonRow | null };

function selectOrders(db: Db) {
  return db
    .select({
      ...getTableColumns(batchOrders),
      // Within another: of what is selected itself Drizzle leaves the names of the tables out.
      simulated: sql<boolean>`${SIMULATED}`,
      sizeBoundedBy: sql<SizeBound | null>`${SIZE_BOUNDED_BY}`,
      batchName: sql<string | null>`${BATCH_NAME}`,
      unknownAttempt: sql<JsonRow | null>`${UNKNOWN_ATTEMPT}`,
    })
    .from(batchOrders)
    .$dynamic();
}

const attemptFrom = fromJsonOf(attempts);

function orderRow({ unknownAttempt, ...order }: FoundOrder): OrderRow {
  return { ...order, unknownOutcome: unknownAttempt === null ? null : outcomeOf(attemptFrom(unknownAttempt)) };
}

function outcomeOf(attempt: AttemptRecord): UnknownOutcome {
  const { orderHash, askedAt } = attempt;
  return { orderHash, since: firstSentAt(attempt), askedAt, answer: answerAbout(attempt) };
}

function keyOf({ status, side, hasError, unknown, ...narrow }: OrderFilter): string | null {
  const isNarrow = Object.values(narrow).some((value) => value !== undefined);
  return isNarrow ? null : `${status} ${side} ${hasError} ${unknown}`;
}

function matching(db: Db, filter: OrderFilter): SQL | undefined {
  return and(
    filter.opportunityId === undefined ? undefined : eq(batchOrders.opportunityId, filter.opportunityId),
    filter.batchId === undefined ? undefined : eq(batchOrders.batchId, filter.batchId),
    filter.venue === undefined ? undefined : eq(venueIn(batchOrders.tokenId), filter.venue),
    filter.status === undefined ? undefined : eq(batchOrders.status, filter.status),
    filter.side === undefined ? undefined : eq(batchOrders.side, filter.side),
    filter.marketId === undefined ? undefined : eq(batchOrders.marketId, filter.marketId),
    filter.hasError === undefined ? undefined : (filter.hasError ? isNotNull : isNull)(batchOrders.error),
    filter.unknown === undefined ? undefined : filter.unknown ? IS_UNKNOWN : not(IS_UNKNOWN),
    filter.find && isFound(db, filter.find),
  );
}

function isFound(db: Db, find: Find): SQL | undefined {
  return or(
    idBeginsWith(batchOrders.id, find),
    idBeginsWith(batchOrders.batchId, find),
    idBeginsWith(batchOrders.opportunityId, find),
    holds(batchOrders.marketName, find),
    marketIdBeginsWith(batchOrders.marketId, find),
    sql`${batchOrders.opportunityId} in ${foundOpportunities(db, find)}`,
  );
}
