import type { OwnOrder } from '@dutchbook/engine/risk/self-trade.ts';
import { and, eq, inArray, isNull, ne, or, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from './batch-store.ts';
import { isOneOf } from './index-hints.ts';
import { attempts, batches, batchOrders, UNDECIDED_ATTEMPTS } from './table.ts';

/** The query for orders of all batches but simulated ones that may stand at the venue, or are recorded to be sent. */
export function ownOrders(db: Db, exceptBatchId?: string | SQLWrapper): PromiseLike<OwnOrder[]> & SQLWrapper {
  const isUndecided = inArray(attempts.status, [...UNDECIDED_ATTEMPTS]);
  const undecided = db.select({ orderId: attempts.orderId }).from(attempts).where(isUndecided);
  const isSelling = eq(batches.saleUnderWay, true);
  const isActive = inArray(batches.status, [...ACTIVE_STATUSES]);
  // Each by an index of its own, so that the batches of the past are not looked through.
  const unfinished = db
    .select({ id: attempts.batchId })
    .from(attempts)
    .where(isUndecided)
    .unionAll(db.select({ id: batches.id }).from(batches).where(isSelling))
    .unionAll(db.select({ id: batches.id }).from(batches).where(isActive));
  const toBeSent = and(eq(batchOrders.status, 'pending'), isNull(batchOrders.chainStepId), or(isSelling, isActive));
  return db
    .select({
      batchId: batchOrders.batchId,
      marketId: batchOrders.marketId,
      tokenId: batchOrders.tokenId,
      side: batchOrders.side,
      price: batchOrders.price,
    })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(
      and(
        // Of both, so that neither is read whole to be joined with few of the other.
        isOneOf(batchOrders.batchId, unfinished),
        isOneOf(batches.id, unfinished),
        eq(batches.simulated, false),
        or(inArray(batchOrders.id, undecided), toBeSent),
        exceptBatchId === undefined ? undefined : ne(batches.id, exceptBatchId),
      ),
    );
}
