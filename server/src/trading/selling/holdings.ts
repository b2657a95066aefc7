import { type Holding, holdingOf } from '@dutchbook/engine/batch/holding.ts';
import { isOrderFinal } from '@dutchbook/engine/order/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { asc, inArray } from 'drizzle-orm';
import { attempts, batchOrders, fills } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';

type OrderRecord = typeof batchOrders.$inferSelect;
type AttemptRecord = typeof attempts.$inferSelect;
type FillRecord = typeof fills.$inferSelect;

/** A buy of a batch, what it holds by its fills, and how many of its shares are in sell orders that have not ended. */
export type HeldOrder = { order: OrderRecord; holding: Holding; inSale: Shares };

/** Everything stored of the orders of some batches, each batch's in the order of its positions. */
export type StoredOrders = { orders: OrderRecord[]; attempts: AttemptRecord[]; fills: FillRecord[] };

export async function storedOrders(db: Db, batchIds: readonly string[]): Promise<StoredOrders> {
  const ids = [...batchIds];
  return {
    orders: await db
      .select()
      .from(batchOrders)
      .where(inArray(batchOrders.batchId, ids))
      .orderBy(asc(batchOrders.batchId), asc(batchOrders.ordinal)),
    attempts: await db.select().from(attempts).where(inArray(attempts.batchId, ids)).orderBy(asc(attempts.createdAt)),
    fills: await db.select().from(fills).where(inArray(fills.batchId, ids)).orderBy(asc(fills.matchedAt)),
  };
}

/** The buys of some batches with what they hold. */
export async function heldOrders(db: Db, batchIds: readonly string[]): Promise<HeldOrder[]> {
  const stored = await storedOrders(db, batchIds);
  return eachBatch(stored).flatMap((batch) =>
    batch.orders.filter(({ side }) => side === 'buy').map((order) => heldBy(batch, order)),
  );
}

function eachBatch({ orders, attempts: signed, fills: reported }: StoredOrders): StoredOrders[] {
  const ofBatch = ({ batchId }: { batchId: string }) => batchId;
  const signedOf = Map.groupBy(signed, ofBatch);
  const reportedOf = Map.groupBy(reported, ofBatch);
  return [...Map.groupBy(orders, ofBatch)].map(([batchId, own]) => {
    return { orders: own, attempts: signedOf.get(batchId) ?? [], fills: reportedOf.get(batchId) ?? [] };
  });
}

function heldBy(stored: StoredOrders, order: OrderRecord): HeldOrder {
  const sales = byOrder(stored).sales.get(order.id) ?? [];
  const ownFills = fillsOfOrder(stored, order.id);
  const holding = holdingOf({ fills: ownFills, sales: sales.flatMap(({ id }) => fillsOfOrder(stored, id)) });
  return { order, holding, inSale: unsoldOf(stored, sales) };
}

/** The shares of these sell orders that may still be sold by them. */
export function unsoldOf(stored: StoredOrders, sales: readonly OrderRecord[]): Shares {
  return sales
    .filter((sale) => !hasEnded(stored, sale))
    .reduce((sum, { size, filledSize }) => sum + Math.max(0, size - filledSize), SHARES_ZERO as number) as Shares;
}

/** An order of which nothing was ever sent has ended when it failed. */
export function hasEnded(stored: StoredOrders, order: OrderRecord): boolean {
  const own = byOrder(stored).attempts.get(order.id) ?? [];
  const facts = { size: order.size, attempts: own, fills: fillsOfOrder(stored, order.id) };
  return (own.length === 0 && order.status === 'failed') || isOrderFinal(facts);
}

export function fillsOfOrder(stored: StoredOrders, orderId: string): FillRecord[] {
  return byOrder(stored).fills.get(orderId) ?? [];
}

type ByOrder = {
  attempts: ReadonlyMap<string, AttemptRecord[]>;
  fills: ReadonlyMap<string, FillRecord[]>;
  sales: ReadonlyMap<string | null, OrderRecord[]>;
};

/** What is stored is looked up order by order, and a batch may have hundreds: made once, as nothing is added to it. */
const indexes = new WeakMap<StoredOrders, ByOrder>();

function byOrder(stored: StoredOrders): ByOrder {
  const known = indexes.get(stored);
  if (known !== undefined) return known;
  const attemptOf = new Map(stored.attempts.map((attempt) => [attempt.id, attempt]));
  const placed = stored.fills.flatMap((fill) => {
    const attempt = attemptOf.get(fill.attemptId);
    if (attempt === undefined) return [];
    return [{ orderId: attempt.orderId, fill: { ...fill, matchedAt: noEarlierThan(attempt, fill) } }];
  });
  const fillsOf = [...Map.groupBy(placed, ({ orderId }) => orderId)].map(
    ([orderId, own]) => [orderId, own.map(({ fill }) => fill)] as const,
  );
  const made = {
    attempts: Map.groupBy(stored.attempts, ({ orderId }) => orderId),
    fills: new Map(fillsOf),
    sales: Map.groupBy(stored.orders, ({ sellsOrderId }) => sellsOrderId),
  };
  indexes.set(stored, made);
  return made;
}

/** The venue tells of matches in whole seconds, rounded down: none came before its order left. */
function noEarlierThan({ sentAt, createdAt }: AttemptRecord, { matchedAt }: FillRecord): Instant {
  return Math.max(matchedAt, sentAt ?? createdAt) as Instant;
}
