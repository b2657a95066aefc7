/** The batches behind a figure, and one of them leg by leg. */
import type {
  BATCH_RESULT_SORTS,
  BatchResult,
  listBatchResults,
  readBatchResult,
} from '@dutchbook/contract/batch-results.ts';
import type { SizeBound } from '@dutchbook/engine/order/choose-size.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import {
  type AnyColumn,
  and,
  asc,
  countDistinct,
  desc,
  eq,
  getTableColumns,
  inArray,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type * as z from 'zod/mini';
import { users } from '../../people/users/table.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import { orderedBy, textInsensitive } from '../../platform/database/ordering.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, batchOrders, SERIES_BOUND } from '../../trading/orders/table.ts';
import { SLIPPAGE, totalUsd } from './figures.ts';
import { type BatchFilter, type CashSpan, cashSpanOf, type InRun, matchingBatches, ofCashSpan } from './filter.ts';
import { batchResults, cashDays, legResults } from './table.ts';

type Query = z.output<typeof listBatchResults.query> & InRun;
type Sort = (typeof BATCH_RESULT_SORTS)[number];

const SORT_COLUMNS = {
  batch_id: batchResults.batchId,
  batch_name: textInsensitive(batches.name),
  triggered_at: batchResults.triggeredAt,
  operator: textInsensitive(users.email),
  automatic: batchResults.automatic,
  source: textInsensitive(batchResults.source),
  event_id: batchResults.eventId,
  event_title: textInsensitive(batchResults.eventTitle),
  structure: batchResults.structure,
  basis: batchResults.basis,
  size: batchResults.size,
  size_bounded_by: batches.sizeBoundedBy,
  series_id: batches.seriesId,
  clip_number: batches.clipNumber,
  clips: sql`1`,
  predicted_usd: batchResults.predictedProfit,
  predicted_cost_usd: batchResults.predictedCost,
  predicted_fees_usd: batchResults.predictedFees,
  cost_usd: batchResults.paid,
  received_usd: batchResults.received,
  fees_usd: batchResults.fees,
  paid_usd: batchResults.paidProfit,
  locked_usd: batchResults.lockedProfit,
  at_risk_usd: batchResults.atRisk,
  capital_usd: batchResults.locked,
  slippage_usd: SLIPPAGE,
  moved_before_send_usd: batchResults.movedBeforeSend,
  moved_in_flight_usd: batchResults.movedInFlight,
  size_added_usd: batchResults.sizeAdded,
  shortfall_usd: batchResults.shortfall,
  books_age_ms: batchResults.booksAgeMs,
  sent_ms: batchResults.sentMs,
  matched_ms: batchResults.matchedMs,
  confirmed_ms: batchResults.confirmedMs,
  cash_ms: batchResults.cashMs,
  lock_day: batchResults.lockDay,
  cash_day: batchResults.cashDay,
  release_at: batchResults.releaseAt,
} satisfies Record<Sort, AnyColumn | SQL>;

/** Cash of each batch within the given days; its columns replace those of the batch. */
function cashWithin(db: Db, span: CashSpan | null) {
  const part = (amount: SQLWrapper, name: string) => totalUsd(amount).as(name);
  return db
    .select({
      batchId: cashDays.batchId,
      paidProfit: part(cashDays.paid, 'cash_paid'),
      fees: part(cashDays.fees, 'cash_fees'),
      movedBeforeSend: part(cashDays.movedBeforeSend, 'cash_moved_before_send'),
      movedInFlight: part(cashDays.movedInFlight, 'cash_moved_in_flight'),
      sizeAdded: part(cashDays.sizeAdded, 'cash_size_added'),
    })
    .from(cashDays)
    .where(span === null ? sql`false` : ofCashSpan(span))
    .groupBy(cashDays.batchId)
    .as('cash');
}

type CashWithin = ReturnType<typeof cashWithin>;

function sortsOfCash(cash: CashWithin): Partial<Record<Sort, SQL>> {
  return {
    paid_usd: sql`${cash.paidProfit}`,
    fees_usd: sql`${cash.fees}`,
    slippage_usd: sql`(${cash.movedBeforeSend} + ${cash.movedInFlight} + ${cash.sizeAdded})`,
    moved_before_send_usd: sql`${cash.movedBeforeSend}`,
    moved_in_flight_usd: sql`${cash.movedInFlight}`,
    size_added_usd: sql`${cash.sizeAdded}`,
  };
}

const IS_OPERATOR = eq(users.id, batchResults.operatorId);

const IS_BATCH = eq(batches.id, batchResults.batchId);

type ResultRow = typeof batchResults.$inferSelect & Placing;

/** Columns of its batch. */
type Placing = {
  batchName: string | null;
  operator: string | null;
  sizeBoundedBy: SizeBound | null;
  /** The bound of the series, on its last clip. */
  seriesBound: BatchResult['size_bounded_by'];
  seriesId: string | null;
  clipNumber: number | null;
};

/** Which rows are on the page is found out by what they are sorted by alone: to sort them whole takes five times as long. */
export async function listResults(db: Db, query: Query): Promise<{ data: BatchResult[]; count: number }> {
  const { series_id: seriesId } = query;
  const where = and(matchingBatches(query), seriesId === undefined ? undefined : inSeries(seriesId));
  const span = cashSpanOf(query);
  const cash = cashWithin(db, span);
  const ofSpan = span === null ? undefined : sortsOfCash(cash)[query.sort_by];
  const sort = ofSpan ?? SORT_COLUMNS[query.sort_by];
  if (query.series === 'one_row') return await listSeries(db, query, { where, span, cash, sort });
  const order = orderedBy(sort, query.sort_order, batchResults.batchId);
  const page = db
    .select({ id: batchResults.batchId })
    .from(batchResults)
    .leftJoin(batches, IS_BATCH)
    .leftJoin(users, IS_OPERATOR)
    .leftJoin(cash, eq(cash.batchId, batchResults.batchId))
    .where(where)
    .orderBy(...order)
    .offset(query.skip)
    .limit(query.limit);
  const rows = await selectResults(db, span)
    .where(inArray(batchResults.batchId, page))
    .orderBy(...order);
  const count = await countWithPage(query, rows.length, () => db.$count(batchResults, where));
  return { data: rows.map(presentResult), count };
}

function inSeries(seriesId: string): SQL {
  return sql`${batchResults.batchId} in (select ${batches.id} from ${batches} where ${batches.seriesId} = ${seriesId})`;
}

/** The first clip of its series; of what is no clip, itself. */
const HEAD = sql<string>`coalesce(${batches.seriesId}, ${batchResults.batchId})`;

/** What the clips of a series add up to. */
const SUMMED: ReadonlySet<Sort> = new Set([
  ...([
    'size',
    'clips',
    'predicted_usd',
    'predicted_cost_usd',
    'predicted_fees_usd',
    'cost_usd',
    'received_usd',
  ] as const),
  ...(['fees_usd', 'paid_usd', 'locked_usd', 'at_risk_usd', 'capital_usd', 'slippage_usd', 'shortfall_usd'] as const),
  ...(['moved_before_send_usd', 'moved_in_flight_usd', 'size_added_usd'] as const),
]);

type Listed = { where: SQL | undefined; span: CashSpan | null; cash: CashWithin; sort: AnyColumn | SQL };

async function listSeries(
  db: Db,
  query: Query,
  { where, span, cash, sort }: Listed,
): Promise<{ data: BatchResult[]; count: number }> {
  const firstUp = sql`order by ${batches.clipNumber} nulls first`;
  const lastUp = sql`order by ${batches.clipNumber} desc nulls last`;
  const ofHead = SUMMED.has(query.sort_by)
    ? sql`sum(${sort})`
    : query.sort_by === 'size_bounded_by'
      ? sql`(array_agg(${SERIES_BOUND} ${lastUp}))[1]`
      : sql`(array_agg(${sort} ${firstUp}))[1]`;
  const isDown = query.sort_order === 'desc';
  const found = await db
    .select({ head: HEAD })
    .from(batchResults)
    .leftJoin(batches, IS_BATCH)
    .leftJoin(users, IS_OPERATOR)
    .leftJoin(cash, eq(cash.batchId, batchResults.batchId))
    .where(where)
    .groupBy(HEAD)
    .orderBy(isDown ? sql`${ofHead} desc nulls last` : sql`${ofHead} asc`, isDown ? desc(HEAD) : asc(HEAD))
    .offset(query.skip)
    .limit(query.limit);
  const heads = found.map(({ head }) => head);
  const rows = await selectResults(db, span)
    .where(and(where, inArray(HEAD, heads)))
    .orderBy(sql`${batches.clipNumber} nulls first`, asc(batchResults.batchId));
  const byHead = Map.groupBy(rows, ({ seriesId, batchId }) => seriesId ?? batchId);
  const count = await countWithPage(query, heads.length, async () => {
    const [counted] = await db
      .select({ count: countDistinct(HEAD) })
      .from(batchResults)
      .leftJoin(batches, IS_BATCH)
      .where(where);
    return counted?.count ?? 0;
  });
  return { data: heads.flatMap((head) => presentTogether(byHead.get(head) ?? [])), count };
}

function presentTogether(clips: readonly ResultRow[]): BatchResult[] {
  const [first, ...others] = clips.map(presentResult);
  if (first === undefined) return [];
  const sums = [...SUMMED].map((name) => {
    const amounts = others.map((clip) => clip[name] as number);
    return [name, amounts.reduce((sum, amount) => sum + amount, first[name] as number)];
  });
  return [{ ...first, ...Object.fromEntries(sums), size_bounded_by: clips.at(-1)?.seriesBound ?? null }];
}

/** All that match, oldest first. */
export function pagesOfResults(db: Db, filter: BatchFilter): AsyncGenerator<ResultRow[]> {
  const { triggeredAt: createdAt, batchId: id } = batchResults;
  return oldestFirst({ createdAt, id }, async ({ after, order, limit }) => {
    const rows = await selectResults(db, cashSpanOf(filter))
      .where(and(matchingBatches(filter), after))
      .orderBy(...order)
      .limit(limit);
    return rows.map((row) => ({ ...row, createdAt: row.triggeredAt, id: row.batchId }));
  });
}

/** The batch and its legs change together, and are read so. */
export function readResult(db: Db, batchId: string): Promise<z.output<typeof readBatchResult.reply> | null> {
  return inOneSnapshot(db, (tx) => readBatchWithLegs(tx, batchId));
}

async function readBatchWithLegs(db: Db, batchId: string) {
  const [row] = await selectResults(db, null).where(eq(batchResults.batchId, batchId));
  if (row === undefined) return null;
  const legs = await db
    .select({
      ...getTableColumns(legResults),
      marketName: batchOrders.marketName,
      outcome: batchOrders.outcome,
    })
    .from(legResults)
    .innerJoin(batchOrders, eq(batchOrders.id, legResults.orderId))
    .where(eq(legResults.batchId, batchId))
    .orderBy(asc(batchOrders.ordinal));
  return { batch: presentResult(row), legs: legs.map(presentLeg) };
}

/** `span`: only what became cash in these days is counted as paid, with what that took. */
function selectResults(db: Db, span: CashSpan | null) {
  const all = getTableColumns(batchResults);
  const { sizeBoundedBy, seriesId, clipNumber } = batches;
  const cash = cashWithin(db, span);
  const { paidProfit, fees, movedBeforeSend, movedInFlight, sizeAdded } = cash;
  const ofSpan = { paidProfit, fees, movedBeforeSend, movedInFlight, sizeAdded };
  const columns = span === null ? all : ({ ...all, ...ofSpan } as unknown as typeof all);
  return db
    .select({
      ...columns,
      operator: users.email,
      batchName: batches.name,
      sizeBoundedBy,
      seriesBound: SERIES_BOUND,
      seriesId,
      clipNumber,
    })
    .from(batchResults)
    .leftJoin(batches, IS_BATCH)
    .leftJoin(users, IS_OPERATOR)
    .leftJoin(cash, eq(cash.batchId, batchResults.batchId))
    .$dynamic();
}

export function presentResult(row: ResultRow): BatchResult {
  return {
    batch_id: row.batchId,
    batch_name: row.batchName,
    triggered_at: row.triggeredAt,
    operator: row.operator,
    automatic: row.automatic,
    source: row.source,
    event_id: row.eventId,
    event_title: row.eventTitle,
    structure: row.structure,
    basis: row.basis,
    size: row.size,
    size_bounded_by: row.sizeBoundedBy,
    series_id: row.seriesId,
    clip_number: row.clipNumber,
    clips: 1,
    predicted_usd: row.predictedProfit,
    predicted_cost_usd: row.predictedCost,
    predicted_fees_usd: row.predictedFees,
    cost_usd: row.paid,
    received_usd: row.received,
    fees_usd: row.fees,
    paid_usd: row.paidProfit,
    locked_usd: row.lockedProfit,
    at_risk_usd: row.atRisk,
    capital_usd: row.locked,
    ...slippageOf(row),
    shortfall_usd: row.shortfall,
    books_age_ms: row.booksAgeMs,
    sent_ms: row.sentMs,
    matched_ms: row.matchedMs,
    confirmed_ms: row.confirmedMs,
    cash_ms: row.cashMs,
    lock_day: row.lockDay,
    cash_day: row.cashDay,
    release_at: row.releaseAt,
  };
}

type LegRow = typeof legResults.$inferSelect & { marketName: string; outcome: string };

function presentLeg(row: LegRow): z.output<typeof readBatchResult.reply>['legs'][number] {
  return {
    order_id: row.orderId,
    leg: row.leg,
    market_name: row.marketName,
    outcome: row.outcome,
    ordered: row.ordered,
    filled: row.filled,
    predicted_price: row.predictedPrice,
    average_price: row.averagePrice,
    predicted_fee_usd: row.predictedFee,
    fee_usd: row.fee,
    paid_usd: row.paid,
    ...slippageOf(row),
  };
}

function slippageOf(row: { movedBeforeSend: Usd; movedInFlight: Usd; sizeAdded: Usd }) {
  return {
    slippage_usd: (row.movedBeforeSend + row.movedInFlight + row.sizeAdded) as Usd,
    moved_before_send_usd: row.movedBeforeSend,
    moved_in_flight_usd: row.movedInFlight,
    size_added_usd: row.sizeAdded,
  };
}
