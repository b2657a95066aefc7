import { batchFigures, type Unhedged } from '@dutchbook/engine/batch/figures.ts';
import { type Holding, holdingOf, holdsMoreThanFees, isSoldOut } from '@dutchbook/engine/batch/holding.ts';
import { type BatchEvent, isActive, resettled } from '@dutchbook/engine/batch/life.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { collapseFills, type Fill, furtherReport, standingFills } from '@dutchbook/engine/order/fill.ts';
import { batchOrderStatus, filledSize, isOrderFinal, type OrderFacts } from '@dutchbook/engine/order/life.ts';
import { type Fraction, fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, totalNotional, USD_ZERO } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import { fromJsonOf, type JsonRow } from '../../world/json-rows.ts';
import { attempts, batches, batchOrders, fills, type StoredUnhedged } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';

export type BatchRecord = typeof batches.$inferSelect;
export type OrderRecord = typeof batchOrders.$inferSelect;
export type AttemptRecord = typeof attempts.$inferSelect;
export type FillRecord = typeof fills.$inferSelect;

/**
 * Everything stored of one batch. What its orders and its profit show is derived from the attempts and fills here.
 * `orders` are its buys, one per position; `sales` are the orders that sell their shares again.
 */
export type BatchState = {
  batch: BatchRecord;
  orders: OrderRecord[];
  sales: OrderRecord[];
  attempts: AttemptRecord[];
  fills: FillRecord[];
};

const batchFrom = fromJsonOf(batches);
const orderFrom = fromJsonOf(batchOrders);
const attemptFrom = fromJsonOf(attempts);
const fillFrom = fromJsonOf(fills);

const rowsOf = (rows: SQL) => sql<JsonRow[]>`(select coalesce(json_agg(r), '[]') from (${rows}) r)`;

/** All of a batch as of one moment, in one statement: what others commit meanwhile is in all of it or in none. */
export async function loadBatchState(db: Db, batchId: string): Promise<BatchState | null> {
  const [stored] = await db
    .select({
      batch: sql<JsonRow>`to_json(b)`,
      orders: rowsOf(sql`select * from batch_orders where batch_id = b.id order by ordinal`),
      attempts: rowsOf(sql`
        select a.* from attempts a join batch_orders o on o.id = a.order_id
        where a.batch_id = b.id order by a.created_at, o.ordinal`),
      fills: rowsOf(sql`select * from fills where batch_id = b.id order by matched_at`),
    })
    .from(sql`batches b`)
    .where(sql`b.id = ${batchId}`);
  if (!stored) return null;
  const orders = stored.orders.map(orderFrom);
  return {
    batch: batchFrom(stored.batch),
    orders: orders.filter(({ side }) => side === 'buy'),
    sales: orders.filter(({ side }) => side === 'sell'),
    attempts: stored.attempts.map(attemptFrom),
    fills: stored.fills.map(fillFrom),
  };
}

/** Whether what is to leave next is bought; a batch is sold only after it has ended. */
export function isBuying({ batch }: BatchState): boolean {
  return isActive(batch.status);
}

/** A buy or a sale of the batch. */
export function orderOf({ orders, sales, batch }: BatchState, orderId: string): OrderRecord {
  const order = orders.find(({ id }) => id === orderId) ?? sales.find(({ id }) => id === orderId);
  if (order === undefined) throw new Error(`order ${orderId} is not of batch ${batch.id}`);
  return order;
}

export function attemptOf(state: BatchState, attemptId: string): AttemptRecord {
  const attempt = state.attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error(`attempt ${attemptId} is not of batch ${state.batch.id}`);
  return attempt;
}

/** The order whose shares a fill of the batch bought or sold. */
export function orderOfFill(state: BatchState, { attemptId }: Pick<FillRecord, 'attemptId'>): OrderRecord {
  return orderOf(state, attemptOf(state, attemptId).orderId);
}

/** The rows of a state by their orders: a batch may have hundreds of each. */
type ByOrder = {
  attempts: ReadonlyMap<string, AttemptRecord[]>;
  fills: ReadonlyMap<string, FillRecord[]>;
  sales: ReadonlyMap<string | null, OrderRecord[]>;
};

/** Nothing is added to a state after it was loaded. */
const indexes = new WeakMap<BatchState, ByOrder>();

function byOrder(state: BatchState): ByOrder {
  const known = indexes.get(state);
  if (known !== undefined) return known;
  const orderIds = new Map(state.attempts.map(({ id, orderId }) => [id, orderId]));
  const made = {
    attempts: Map.groupBy(state.attempts, ({ orderId }) => orderId),
    fills: Map.groupBy(state.fills, ({ attemptId }) => orderIds.get(attemptId) ?? ''),
    sales: Map.groupBy(state.sales, ({ sellsOrderId }) => sellsOrderId),
  };
  indexes.set(state, made);
  return made;
}

export function attemptsOf(state: BatchState, orderId: string): AttemptRecord[] {
  return byOrder(state).attempts.get(orderId) ?? [];
}

/** The fills of an order's own attempts. */
function fillsOf(state: BatchState, orderId: string): FillRecord[] {
  return byOrder(state).fills.get(orderId) ?? [];
}

/** The fills of all orders that sell the shares of a buy. */
export function salesOf(state: BatchState, orderId: string): FillRecord[] {
  return (byOrder(state).sales.get(orderId) ?? []).flatMap(({ id }) => fillsOf(state, id));
}

/** What a buy of the batch bought, sold and still holds. */
export function holdingOfOrder(state: BatchState, { id }: Pick<OrderRecord, 'id'>): Holding {
  return holdingOf({ fills: fillsOf(state, id), sales: salesOf(state, id) });
}

/** Sent, and the venue, when it was asked or when it should have answered, has not said whether it has it. */
export function isInDoubt({ status, reason, askedAt }: AttemptRecord): boolean {
  return status === 'sent' && (reason !== null || askedAt !== null);
}

export function orderFacts(state: BatchState, order: OrderRecord): OrderFacts {
  return { size: order.size, attempts: attemptsOf(state, order.id), fills: fillsOf(state, order.id) };
}

/** Of every buy of the batch. */
export function factsOfOrders(state: BatchState): OrderFacts[] {
  return state.orders.map((order) => orderFacts(state, order));
}

export function minSuccessOf({ batch }: BatchState): Fraction {
  return fractionFromNumber(batch.settings.BATCH_MIN_SUCCESS_RATE);
}

/** The event that a batch which has ended is due, because fills or sales settled otherwise, or turned up, since. */
export function resettledAs(state: BatchState): BatchEvent | null {
  return resettled(state.batch.status, factsOfOrders(state), state.batch.soldAt !== null, minSuccessOf(state));
}

/** Attempts that were sent and of which more may be heard: they, or their order, have not ended, or a trade has not settled. */
export function standingAttempts(state: BatchState): AttemptRecord[] {
  const ended = new Set(
    [...state.orders, ...state.sales].filter((order) => isFinalOrder(state, order)).map(({ id }) => id),
  );
  const unsettled = new Set(
    state.fills.filter(({ settledAt }) => settledAt === null).map(({ attemptId }) => attemptId),
  );
  return state.attempts
    .filter(({ status }) => status !== 'prepared' && status !== 'refused' && status !== 'failed')
    .filter(({ id, orderId }) => !ended.has(orderId) || unsettled.has(id));
}

export function isFinalOrder(state: BatchState, order: OrderRecord): boolean {
  return isOrderFinal(orderFacts(state, order));
}

/** The same, or nothing of it was ever sent and nothing will be. */
export function hasEnded(state: BatchState, order: OrderRecord): boolean {
  return order.status === 'failed' || isFinalOrder(state, order);
}

/** What an order's row shows, from its attempts and fills. */
export function derivedOrder(state: BatchState, order: OrderRecord): Partial<OrderRecord> {
  const facts = orderFacts(state, order);
  const standing = standingFills(facts.fills);
  return {
    status: batchOrderStatus(facts),
    filledSize: filledSize(facts.fills),
    filledCost: totalNotional(standing, order.side === 'buy' ? 'up' : 'down'),
    fee: standing.reduce((sum, fill) => addUsd(sum, fill.fee), USD_ZERO),
    attemptCount: facts.attempts.length,
    ...(order.side === 'buy' ? { soldSize: filledSize(salesOf(state, order.id)) } : {}),
  };
}

type Derived =
  | 'totalOrders'
  | 'actualProfit'
  | 'unhedged'
  | 'unhedgedSince'
  | 'legRiskToldAt'
  | 'ordersInDoubt'
  | 'soldAt';

/** What a batch's row shows, from all its fills. Profit is unknown until the venue has taken an order. */
export function derivedBatch(state: BatchState, now: Instant): Pick<BatchRecord, Derived> {
  const { batch } = state;
  const orders = state.orders.map((order) => ({
    ...order,
    ...orderFacts(state, order),
    sales: salesOf(state, order.id),
  }));
  const soldAt = stillSoldSince(state) ?? (isSoldAgain(state) ? now : null);
  const { totalOrders, actualProfit, unhedged } = batchFigures(orders, batch.targetPrice, soldAt !== null);
  return {
    soldAt,
    totalOrders,
    actualProfit: totalOrders === 0 ? null : actualProfit,
    unhedged: unhedged === null ? null : storedUnhedged(state, unhedged),
    unhedgedSince: unhedged === null ? null : (batch.unhedgedSince ?? now),
    legRiskToldAt: unhedged === null ? null : batch.legRiskToldAt,
    ordersInDoubt: new Set(state.attempts.filter(isInDoubt).map(({ orderId }) => orderId)).size,
  };
}

/** What is held again undoes it: a trade of a sale has failed to settle since then, or one that bought has turned up. */
function stillSoldSince(state: BatchState): Instant | null {
  const { soldAt } = state.batch;
  if (soldAt === null) return null;
  const hasFailed = state.orders
    .flatMap(({ id }) => salesOf(state, id))
    .some(({ settlement, settledAt }) => settlement === 'failed' && settledAt !== null && settledAt >= soldAt);
  return hasFailed || state.orders.some((order) => holdsMoreThanFees(holdingOfOrder(state, order))) ? null : soldAt;
}

/** A trade that had failed to settle has settled after all: by the fills nothing is left, and nothing is being sold. */
function isSoldAgain(state: BatchState): boolean {
  if (state.batch.saleUnderWay) return false;
  return isSoldOut(state.orders.map((order) => ({ holding: holdingOfOrder(state, order), atVenue: null })));
}

function storedUnhedged(state: BatchState, { positions, worstLoss }: Unhedged): StoredUnhedged {
  return {
    worstLoss,
    positions: positions.flatMap(({ tokenId, outcome, shares, atRisk }) =>
      state.orders
        .filter((order) => order.tokenId === tokenId)
        .map(({ id, marketName }) => ({ orderId: id, marketName, outcome, shares, atRisk })),
    ),
  };
}

/** What the batch buys, in the order of its orders. */
export function positionsOf({ orders }: BatchState): Position[] {
  return orders.map(({ leg, marketId, outcome }) => ({ leg, marketId, outcome }));
}

/** The moment at which what still rests of the placing, or of the retry asked for last, is canceled. */
export function deadlineOf(batch: BatchRecord): Instant {
  return ((batch.retryRequestedAt ?? batch.createdAt) +
    batch.settings.BATCH_COMPLETION_TIMEOUT_HOURS * 3_600_000) as Instant;
}

/** The report to keep of a trade that is reported again, or null when what is stored of it says as much. */
export function newerReport(stored: readonly Fill[], report: Fill): Fill | null {
  const [known] = collapseFills(stored);
  if (known === undefined) return report;
  const kept = furtherReport(known, report);
  return kept.settlement === known.settlement && kept.size === known.size && kept.fee === known.fee ? null : kept;
}
