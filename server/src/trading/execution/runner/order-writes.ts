/** Writes the derived columns of orders where they no longer agree with attempts and fills. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, type SQLWrapper, sql } from 'drizzle-orm';
import { rowsOf, setOf } from '../../../platform/database/many-rows.ts';
import { noEarlier, notBefore } from '../../../platform/database/update-time.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { errorOf, roundingOf } from '../../orders/attempt-wording.ts';
import { attemptsOf, type BatchState, holdersOf, type OrderRecord } from '../../orders/batch-state.ts';
import { derivedOrder } from '../../orders/derived-rows.ts';
import { batchOrders } from '../../orders/table.ts';

/** Writes all orders in one statement, or none: a batch may have hundreds. The state is updated as well. */
export function orderWrites(db: Db, state: BatchState, now: Instant): SQLWrapper[] {
  const changed: OrderRecord[] = [];
  for (const order of [...holdersOf(state), ...state.sales]) {
    const shown = shownOrder(state, order);
    if (sameFields(order, shown)) continue;
    changed.push(Object.assign(order, shown, { updatedAt: notBefore(order, now) }));
  }
  if (changed.length === 0) return [];
  const rows = changed.map(writtenOf);
  return [
    db
      .update(batchOrders)
      .set({ ...setOf(batchOrders, rows), updatedAt: noEarlier(batchOrders.updatedAt, now) })
      .from(sql`${rowsOf(batchOrders, rows)} as v`)
      .where(eq(batchOrders.id, sql`v.id`)),
  ];
}

function writtenOf({ id, status, filledSize, filledCost, fee, attemptCount, soldSize, error, errorKind }: OrderRecord) {
  return { id, status, filledSize, filledCost, fee, attemptCount, soldSize, error, errorKind };
}

function shownOrder(state: BatchState, order: OrderRecord): Partial<OrderRecord> {
  const latest = attemptsOf(state, order.id).at(-1);
  if (latest === undefined) return {};
  const derived = derivedOrder(state, order);
  return { ...derived, ...(roundingOf({ ...order, ...derived }) ?? errorOf(latest, order.warning)) };
}

function sameFields(order: OrderRecord, shown: Partial<OrderRecord>): boolean {
  return Object.entries(shown).every(([name, value]) => order[name as keyof OrderRecord] === value);
}
