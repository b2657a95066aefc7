/** What orders show, written where it no longer agrees with their attempts and fills. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, sql } from 'drizzle-orm';
import { rowsOf } from '../../world/many-rows.ts';
import { batchOrders } from '../../world/schema.ts';
import { noEarlier, notBefore } from '../../world/update-time.ts';
import type { Db } from '../../world/world.ts';
import { attemptsOf, type BatchState, derivedOrder, type OrderRecord } from './batch-state.ts';

/** In one statement for all orders: a batch may have hundreds. The state is brought in line as well. */
export async function showOrders(tx: Db, state: BatchState, now: Instant): Promise<void> {
  const changed: OrderRecord[] = [];
  for (const order of [...state.orders, ...state.sales]) {
    const shown = shownOrder(state, order);
    if (sameFields(order, shown)) continue;
    changed.push(Object.assign(order, shown, { updatedAt: notBefore(order, now) }));
  }
  if (changed.length === 0) return;
  await tx
    .update(batchOrders)
    .set({
      status: sql`v.status`,
      filledSize: sql`v.filled_size`,
      filledCost: sql`v.filled_cost`,
      fee: sql`v.fee`,
      attemptCount: sql`v.attempt_count`,
      soldSize: sql`v.sold_size`,
      error: sql`v.error`,
      updatedAt: noEarlier(batchOrders.updatedAt, now),
    })
    .from(sql`${rowsOf(batchOrders, changed.map(writtenOf))} as v`)
    .where(eq(batchOrders.id, sql`v.id`));
}

function writtenOf({ id, status, filledSize, filledCost, fee, attemptCount, soldSize, error }: OrderRecord) {
  return { id, status, filledSize, filledCost, fee, attemptCount, soldSize, error };
}

function shownOrder(state: BatchState, order: OrderRecord): Partial<OrderRecord> {
  const latest = attemptsOf(state, order.id).at(-1);
  if (latest === undefined) return {};
  // An order in doubt is no error: what is known of it is shown as a doubt.
  const error = latest.status === 'sent' ? order.warning : (latest.reason ?? order.warning);
  return { ...derivedOrder(state, order), error };
}

function sameFields(order: OrderRecord, shown: Partial<OrderRecord>): boolean {
  return Object.entries(shown).every(([name, value]) => order[name as keyof OrderRecord] === value);
}
