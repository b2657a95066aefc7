import type { OwnOrder } from '@dutchbook/engine/risk/self-trade.ts';
import { and, eq, inArray, isNull, ne, or, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../runtime.ts';
import { ACTIVE_STATUSES } from './batch-store.ts';
import { attempts, batches, batchOrders, UNDECIDED_ATTEMPTS } from './table.ts';

/** The query for orders of all batches but simulated ones that may stand at the venue, or are recorded to be sent. */
export function ownOrders(db: Db, exceptBatchId?: string): PromiseLike<OwnOrder[]> & SQLWrapper {
  const undecided = db
    .select({ orderId: attempts.orderId })
    .from(attempts)
    .where(inArray(attempts.status, [...UNDECIDED_ATTEMPTS]));
  const toBeSent = and(
    eq(batchOrders.status, 'pending'),
    isNull(batchOrders.chainStepId),
    or(eq(batches.saleUnderWay, true), inArray(batches.status, [...ACTIVE_STATUSES])),
  );
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
        eq(batches.simulated, false),
        or(inArray(batchOrders.id, undecided), toBeSent),
        exceptBatchId === undefined ? undefined : ne(batches.id, exceptBatchId),
      ),
    );
}
