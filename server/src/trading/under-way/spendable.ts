import { mayTake, type Taking } from '@dutchbook/engine/order/under-way.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { NOT_KEPT } from './rules.ts';
import { spendingOf } from './spending-totals.ts';

/**
 * The cash that no recorded batch is about to spend: what the venue said, less what orders would take that it may not
 * have counted yet, at their limit prices and with their fees. Errs low for the seconds until cash is read again.
 */
export async function spendableCash(db: Db, reading: CashReading | null, ownBatchId?: string): Promise<Usd | null> {
  if (reading === null) return null;
  const { rows } = (await db.execute(uncounted(reading, ownBatchId))) as unknown as { rows: TakingRow[] };
  return cashLeft(reading, rows.map(takingIn));
}

/** What is left of a reading after what orders that it may not have counted would take. */
export function cashLeft({ cash }: CashReading, orders: readonly Taking[]): Usd {
  return subtractUsd(
    cash,
    orders.reduce((sum, order) => addUsd(sum, mayTake(order)), USD_ZERO),
  );
}

/** Drivers write bigints as text; in JSON they are numbers. */
export type TakingRow = Record<'size' | 'price' | 'fee_rate' | 'fee_step', string | number>;

export function takingIn({ size, price, fee_rate: feeRate, fee_step: feeStep }: TakingRow): Taking {
  return { size: Number(size), price: Number(price), feeRate: Number(feeRate), feeStep: Number(feeStep) } as Taking;
}

/**
 * Rows of what orders would take that a reading of cash of `at` may not have counted: of batches that have changed since, all that
 * they buy; of others, what may still be taken and is not known to rest at the venue, which keeps cash back for what rests.
 */
export function uncounted({ at }: Pick<CashReading, 'at'>, ownBatchId: string | null = null): SQL {
  const own = sql`${ownBatchId}::uuid`;
  return sql`(
    with newer as materialized (select id, simulated from batches where updated_at >= ${instantToIso(at)}::timestamptz),
    live as materialized (select id from (${NOT_KEPT}) under_way where id not in (select id from newer)), ${spendingOf(own)}
    select o.size, o.price, o.fee_rate, o.fee_step
    from newer, lateral (select * from batch_orders where batch_id = newer.id and side = 'buy' offset 0) o
    where not newer.simulated and newer.id is distinct from ${own}
    union all
    select size, price, fee_rate, fee_step from tried where size > 0 and status <> 'open'
    union all
    select size, price, fee_rate, fee_step from unsigned)`;
}
