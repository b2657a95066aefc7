/** The batches behind a figure, and one of them leg by leg. */
import type {
  BATCH_RESULT_SORTS,
  BatchResult,
  listBatchResults,
  readBatchResult,
} from '@dutchbook/contract/batch-results.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { users } from '../../people/users/table.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import { orderedBy, textInsensitive } from '../../platform/database/ordering.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batchOrders } from '../../trading/orders/table.ts';
import { SLIPPAGE } from './figures.ts';
import { type BatchFilter, matchingBatches, ofCashDay } from './filter.ts';
import { batchResults, cashDays, legResults } from './table.ts';

type Query = z.output<typeof listBatchResults.query>;
type Sort = (typeof BATCH_RESULT_SORTS)[number];

const SORT_COLUMNS = {
  batch_id: batchResults.batchId,
  triggered_at: batchResults.triggeredAt,
  operator: textInsensitive(users.email),
  automatic: batchResults.automatic,
  source: textInsensitive(batchResults.source),
  event_id: batchResults.eventId,
  event_title: textInsensitive(batchResults.eventTitle),
  structure: batchResults.structure,
  basis: batchResults.basis,
  size: batchResults.size,
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

/** In the place of those above and of the columns of a batch, where only what became cash on a day is asked for. */
const SORT_COLUMNS_OF_DAY: Partial<Record<Sort, AnyColumn | SQL>> = {
  paid_usd: cashDays.paid,
  fees_usd: cashDays.fees,
  slippage_usd: sql`(${cashDays.movedBeforeSend} + ${cashDays.movedInFlight} + ${cashDays.sizeAdded})`,
  moved_before_send_usd: cashDays.movedBeforeSend,
  moved_in_flight_usd: cashDays.movedInFlight,
  size_added_usd: cashDays.sizeAdded,
};
const COLUMNS_OF_DAY = {
  paidProfit: cashDays.paid,
  fees: cashDays.fees,
  movedBeforeSend: cashDays.movedBeforeSend,
  movedInFlight: cashDays.movedInFlight,
  sizeAdded: cashDays.sizeAdded,
};

const IS_OPERATOR = eq(users.id, batchResults.operatorId);

type ResultRow = typeof batchResults.$inferSelect & { operator: string | null };

/** Which rows are on the page is found out by what they are sorted by alone: to sort them whole takes five times as long. */
export async function listResults(db: Db, query: Query): Promise<{ data: BatchResult[]; count: number }> {
  const where = matchingBatches(query);
  const { cash_day: cashDay, sort_by: sortBy } = query;
  const ofDay = cashDay === undefined ? undefined : SORT_COLUMNS_OF_DAY[sortBy];
  const order = orderedBy(ofDay ?? SORT_COLUMNS[sortBy], query.sort_order, batchResults.batchId);
  const page = db
    .select({ id: batchResults.batchId })
    .from(batchResults)
    .leftJoin(users, IS_OPERATOR)
    .leftJoin(cashDays, isOfDay(cashDay))
    .where(where)
    .orderBy(...order)
    .offset(query.skip)
    .limit(query.limit);
  const rows = await selectResults(db, cashDay)
    .where(inArray(batchResults.batchId, page))
    .orderBy(...order);
  const count = await countWithPage(query, rows.length, () => db.$count(batchResults, where));
  return { data: rows.map(presentResult), count };
}

/** All that match, oldest first. */
export function pagesOfResults(db: Db, filter: BatchFilter): AsyncGenerator<ResultRow[]> {
  const { triggeredAt: createdAt, batchId: id } = batchResults;
  return oldestFirst({ createdAt, id }, async ({ after, order, limit }) => {
    const rows = await selectResults(db, filter.cash_day)
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
  const [row] = await selectResults(db, undefined).where(eq(batchResults.batchId, batchId));
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

/** `cashDay`: only what became cash on that day is counted as paid, with what that took. */
function selectResults(db: Db, cashDay: string | undefined) {
  const all = getTableColumns(batchResults);
  const columns = cashDay === undefined ? all : ({ ...all, ...COLUMNS_OF_DAY } as unknown as typeof all);
  return db
    .select({ ...columns, operator: users.email })
    .from(batchResults)
    .leftJoin(users, IS_OPERATOR)
    .leftJoin(cashDays, isOfDay(cashDay))
    .$dynamic();
}

/** None where no day is asked for. */
function isOfDay(cashDay: string | undefined): SQL | undefined {
  return cashDay === undefined ? sql`false` : ofCashDay(cashDay);
}

export function presentResult(row: ResultRow): BatchResult {
  return {
    batch_id: row.batchId,
    triggered_at: row.triggeredAt,
    operator: row.operator,
    automatic: row.automatic,
    source: row.source,
    event_id: row.eventId,
    event_title: row.eventTitle,
    structure: row.structure,
    basis: row.basis,
    size: row.size,
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
