import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, eq, gte, inArray, ne, or, type SQLWrapper, sql } from 'drizzle-orm';
import { ACTIVE_STATUSES } from '../../batches/store.ts';
import { batches, batchOrders } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';
import type { CashReading } from '../account.ts';

/** Any number that no other advisory lock of the product uses. */
const SPENDING_LOCK = 7_305_119;

/** Between the decision and its record. */
export const SPENT_MEANWHILE = 'The balance was spent on another batch meanwhile.';

/** Until the transaction ends, no other decides what the same cash is spent on. */
export async function lockSpending(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SPENDING_LOCK})`);
}

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
export function uncounted(db: Db, reading: CashReading, ownBatchId?: string): PromiseLike<Taking[]> & SQLWrapper {
  const unacknowledged = and(
    inArray(batches.status, [...ACTIVE_STATUSES]),
    inArray(batchOrders.status, ['pending', 'processing']),
  );
  return db
    .select({ size: batchOrders.size, price: batchOrders.price, feeRate: batchOrders.feeRate })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(
      and(
        eq(batches.simulated, false),
        or(unacknowledged, gte(batches.updatedAt, reading.at)),
        ownBatchId === undefined ? undefined : ne(batches.id, ownBatchId),
      ),
    );
}

export type Taking = { size: Shares; price: Price; feeRate: Fraction };

/** What an order takes when all of it fills at its limit price, fee included. */
export function mayTake({ size, price, feeRate }: Taking): Usd {
  return addUsd(notional(size, price, 'up'), takerFee(size, price, feeRate));
}
