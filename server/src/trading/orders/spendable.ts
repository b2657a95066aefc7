import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, eq, exists, gte, inArray, ne, or, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from './batch-store.ts';
import { isOneOf } from './index-hints.ts';
import { attempts, batches, batchOrders } from './table.ts';

/**
 * The cash that no recorded batch is about to spend: what the venue said, less what orders would take that it may not
 * have counted yet, at their limit prices and with their fees. Errs low for the seconds until cash is read again.
 */
export async function spendableCash(db: Db, reading: CashReading | null, ownBatchId?: string): Promise<Usd | null> {
  return reading === null ? null : cashLeft(reading, await uncounted(db, reading, ownBatchId));
}

/** What is left of a reading after what orders that it may not have counted would take. */
export function cashLeft({ cash }: CashReading, orders: readonly Taking[]): Usd {
  return subtractUsd(
    cash,
    orders.reduce((sum, order) => addUsd(sum, mayTake(order)), USD_ZERO),
  );
}

/** The query for those orders. */
export function uncounted(
  db: Db,
  reading: { at: Instant | SQLWrapper },
  ownBatchId?: string | SQLWrapper,
): PromiseLike<Taking[]> & SQLWrapper {
  // What a retry sends for an order that is filled in part does not show in the order's status.
  const onItsWay = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(eq(attempts.orderId, batchOrders.id), inArray(attempts.status, ['prepared', 'sent', 'unknown', 'delayed'])),
    );
  const isActive = inArray(batches.status, [...ACTIVE_STATUSES]);
  const isNewer = gte(batches.updatedAt, reading.at);
  // Each by an index of its own, so that the batches of the past are not looked through.
  const recent = db
    .select({ id: batches.id })
    .from(batches)
    .where(isActive)
    .unionAll(db.select({ id: batches.id }).from(batches).where(isNewer));
  const unacknowledged = and(isActive, or(inArray(batchOrders.status, ['pending', 'processing']), exists(onItsWay)));
  return db
    .select({
      size: batchOrders.size,
      price: batchOrders.price,
      feeRate: batchOrders.feeRate,
      feeStep: batchOrders.feeStep,
    })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(
      and(
        // Of both, so that neither is read whole to be joined with few of the other.
        isOneOf(batchOrders.batchId, recent),
        isOneOf(batches.id, recent),
        eq(batches.simulated, false),
        eq(batchOrders.side, 'buy'),
        or(unacknowledged, isNewer),
        ownBatchId === undefined ? undefined : ne(batches.id, ownBatchId),
      ),
    );
}

export type Taking = { size: Shares; price: Price; feeRate: Fraction; feeStep: Usd };

/** What an order takes when all of it fills at its limit price, fee included. */
export function mayTake({ size, price, feeRate, feeStep }: Taking): Usd {
  return addUsd(notional(size, price, 'up'), takerFee(size, price, { rate: feeRate, step: feeStep }));
}
