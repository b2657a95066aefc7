/** Batches whose orders are decided on together. */
import { asc, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, batchOrders } from './table.ts';

/** Locks these batches until the transaction ends. */
export async function lockBatches(tx: Db, batchIds: readonly string[]): Promise<void> {
  const ids = [...new Set(batchIds)];
  if (ids.length === 0) return;
  await tx
    .select({ id: batches.id })
    .from(batches)
    .where(inArray(batches.id, ids))
    .orderBy(asc(batches.id))
    .for('update');
}

/** @returns the places of a batch's next orders, one after the other */
export async function nextOrdinals(tx: Db, batchIds: readonly string[]): Promise<(batchId: string) => number> {
  const rows =
    batchIds.length === 0
      ? []
      : await tx
          .select({ batchId: batchOrders.batchId, last: sql<number>`max(${batchOrders.ordinal})`.mapWith(Number) })
          .from(batchOrders)
          .where(inArray(batchOrders.batchId, [...batchIds]))
          .groupBy(batchOrders.batchId);
  const last = new Map(rows.map((row) => [row.batchId, row.last]));
  return (batchId) => {
    const ordinal = (last.get(batchId) ?? -1) + 1;
    last.set(batchId, ordinal);
    return ordinal;
  };
}
