import type { OrdersUpdated } from '@dutchbook/contract/orders.ts';
import { and, count, inArray, isNotNull } from 'drizzle-orm';
import { awaitRows } from '../../platform/database/await-rows.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { Placing } from './intents.ts';
import { requestPoll } from './intents.ts';
import { type OrderRow, ordersOfBatches } from './store.ts';
import { batches } from './table.ts';

const WAIT_MAX_MS = 5000;

/** Has the venue asked about everything in these batches that has not ended, and waits a while for its answers. */
export async function pollOrders(
  { runtime, placing }: { runtime: Runtime; placing: Pick<Placing, 'wake'> },
  batchIds: readonly string[],
): Promise<OrdersUpdated> {
  const { db } = runtime;
  if (batchIds.length === 0) return { message: UPDATED, updated: 0 };
  const before = await ordersOfBatches(db, batchIds);
  await requestPoll(db, runtime, batchIds);
  for (const batchId of batchIds) placing.wake(batchId);
  const stillAsking = async () => {
    const asked = and(inArray(batches.id, [...batchIds]), isNotNull(batches.pollRequestedAt));
    const [row] = await db.select({ count: count() }).from(batches).where(asked);
    return row?.count ?? 0;
  };
  const left = await awaitRows(runtime, WAIT_MAX_MS, stillAsking, (asking) => asking === 0);
  const after = await ordersOfBatches(db, batchIds);
  return { message: left === 0 ? UPDATED : NOT_ALL_ANSWERED, updated: changedOrders(before, after) };
}

const UPDATED = 'Order statuses updated';
const NOT_ALL_ANSWERED = 'The venue has not answered about every order yet';

function changedOrders(before: readonly OrderRow[], after: readonly OrderRow[]): number {
  const known = new Map(before.map((row) => [row.id, shownOf(row)]));
  return after.filter((row) => known.get(row.id) !== shownOf(row)).length;
}

function shownOf({ status, filledSize, fee, error }: OrderRow): string {
  return JSON.stringify([status, filledSize, fee, error]);
}
