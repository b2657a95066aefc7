import { batchFigures, type Unhedged } from '@dutchbook/engine/batch/figures.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { collapseFills, type Fill, furtherReport, standingFills } from '@dutchbook/engine/order/fill.ts';
import { batchOrderStatus, filledSize, isOrderFinal, type OrderFacts } from '@dutchbook/engine/order/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, totalNotional, USD_ZERO } from '@dutchbook/units/usd.ts';
import { asc, eq } from 'drizzle-orm';
import { attempts, batches, batchOrders, fills, type StoredUnhedged } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';

export type BatchRecord = typeof batches.$inferSelect;
export type OrderRecord = typeof batchOrders.$inferSelect;
export type AttemptRecord = typeof attempts.$inferSelect;
export type FillRecord = typeof fills.$inferSelect;

/** Everything stored of one batch. What its orders and its profit show is derived from the attempts and fills here. */
export type BatchState = {
  batch: BatchRecord;
  orders: OrderRecord[];
  attempts: AttemptRecord[];
  fills: FillRecord[];
};

export async function loadBatchState(db: Db, batchId: string): Promise<BatchState | null> {
  const [batch] = await db.select().from(batches).where(eq(batches.id, batchId));
  if (!batch) return null;
  return {
    batch,
    orders: await db
      .select()
      .from(batchOrders)
      .where(eq(batchOrders.batchId, batchId))
      .orderBy(asc(batchOrders.ordinal)),
    attempts: await db.select().from(attempts).where(eq(attempts.batchId, batchId)).orderBy(asc(attempts.createdAt)),
    fills: await db.select().from(fills).where(eq(fills.batchId, batchId)).orderBy(asc(fills.matchedAt)),
  };
}

export function attemptsOf(state: BatchState, orderId: string): AttemptRecord[] {
  return state.attempts.filter((attempt) => attempt.orderId === orderId);
}

export function orderFacts(state: BatchState, order: OrderRecord): OrderFacts {
  const own = attemptsOf(state, order.id);
  const ids = new Set(own.map(({ id }) => id));
  return { size: order.size, attempts: own, fills: state.fills.filter(({ attemptId }) => ids.has(attemptId)) };
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
    filledCost: totalNotional(standing, 'up'),
    fee: standing.reduce((sum, fill) => addUsd(sum, fill.fee), USD_ZERO),
    attemptCount: facts.attempts.length,
  };
}

/** What a batch's row shows, from all its fills. Profit is unknown until the venue has taken an order. */
export function derivedBatch(state: BatchState): Pick<BatchRecord, 'totalOrders' | 'actualProfit' | 'unhedged'> {
  const orders = state.orders.map((order) => ({ ...order, ...orderFacts(state, order), sales: [] }));
  const { totalOrders, actualProfit, unhedged } = batchFigures(orders, state.batch.targetPrice);
  return {
    totalOrders,
    actualProfit: totalOrders === 0 ? null : actualProfit,
    unhedged: unhedged === null ? null : storedUnhedged(state, unhedged),
  };
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

/** The moment at which what still rests is canceled. */
export function deadlineOf(batch: BatchRecord): Instant {
  return (batch.createdAt + batch.settings.BATCH_COMPLETION_TIMEOUT_HOURS * 3_600_000) as Instant;
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
