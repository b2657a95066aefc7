import { batchFigures, type Unhedged } from '@dutchbook/engine/batch/figures.ts';
import { type Holding, holdingOf } from '@dutchbook/engine/batch/holding.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { collapseFills, type Fill, furtherReport, standingFills } from '@dutchbook/engine/order/fill.ts';
import { batchOrderStatus, filledSize, isOrderFinal, type OrderFacts } from '@dutchbook/engine/order/life.ts';
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

/** The order whose shares a fill of the batch bought or sold. */
export function orderOfFill(state: BatchState, { attemptId }: Pick<FillRecord, 'attemptId'>): OrderRecord {
  const attempt = state.attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error(`attempt ${attemptId} is not of batch ${state.batch.id}`);
  return orderOf(state, attempt.orderId);
}

export function attemptsOf(state: BatchState, orderId: string): AttemptRecord[] {
  return state.attempts.filter((attempt) => attempt.orderId === orderId);
}

/** The fills of an order's own attempts. */
function fillsOf(state: BatchState, orderId: string): FillRecord[] {
  const ids = new Set(attemptsOf(state, orderId).map(({ id }) => id));
  return state.fills.filter(({ attemptId }) => ids.has(attemptId));
}

/** The fills of all orders that sell the shares of a buy. */
export function salesOf(state: BatchState, orderId: string): FillRecord[] {
  return state.sales.filter(({ sellsOrderId }) => sellsOrderId === orderId).flatMap(({ id }) => fillsOf(state, id));
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
  const soldAt = stillSoldSince(state);
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

/** A trade of a sale that has failed to settle since then undoes it: what it sold is held again. */
function stillSoldSince(state: BatchState): Instant | null {
  const { soldAt } = state.batch;
  if (soldAt === null) return null;
  const isUndone = state.orders
    .flatMap(({ id }) => salesOf(state, id))
    .some(({ settlement, settledAt }) => settlement === 'failed' && settledAt !== null && settledAt >= soldAt);
  return isUndone ? null : soldAt;
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

/** The report to keep of a trade that is reported again, or null when what is stored says as much. */
export function newerReport(state: BatchState, report: Fill): Fill | null {
  const known = collapseFills(state.fills).find(
    ({ tradeId, attemptId }) => tradeId === report.tradeId && attemptId === report.attemptId,
  );
  if (known === undefined) return report;
  const kept = furtherReport(known, report);
  return kept.settlement === known.settlement && kept.size === known.size && kept.fee === known.fee ? null : kept;
}
