import { type OrderRow, ordersOfBatches } from '../../orders/store.ts';
import type { Db } from '../../world/world.ts';
import { hasEnded, storedOrders } from './holdings.ts';

/** A sell order, and whether nothing more can come of it. */
export type SaleOrder = { row: OrderRow; hasEnded: boolean };

/** The orders of one sale, in the order of their positions. */
export async function ordersOfSale(
  db: Db,
  { batchId, saleId }: { batchId: string; saleId: string },
): Promise<SaleOrder[]> {
  const stored = await storedOrders(db, [batchId]);
  const ended = new Set(stored.orders.filter((order) => hasEnded(stored, order)).map(({ id }) => id));
  // Read after what decides that they have ended: what they show is then no older than that.
  const rows = await ordersOfBatches(db, [batchId]);
  return rows.filter((row) => row.saleId === saleId).map((row) => ({ row, hasEnded: ended.has(row.id) }));
}
