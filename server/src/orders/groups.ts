import type { OrderGroup } from '@dutchbook/contract/orders.ts';
import { readBatches } from '../batches/store.ts';
import { presentSummary } from '../batches/summary.ts';
import type { World } from '../world/world.ts';
import { presentOrder } from './present.ts';
import { listOrdersByBatch, type OrderFilter, type OrderPage, ordersOfBatches } from './store.ts';

/** Matching orders by batch, the batches in the order of their first one; a summary is of all orders of its batch. */
export async function orderGroups(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  filter: OrderFilter,
  page: OrderPage,
  { withSummaries }: { withSummaries: boolean },
): Promise<{ data: OrderGroup[]; count: number }> {
  const { rows, count } = await listOrdersByBatch(db, filter, page);
  const groups = new Map<string, OrderGroup>();
  for (const row of rows) {
    const group = groups.get(row.batchId) ?? { batch_id: row.batchId, orders: [] };
    group.orders.push(presentOrder(row));
    groups.set(row.batchId, group);
  }
  if (!withSummaries) return { data: [...groups.values()], count };

  const batches = await readBatches(db, [...groups.keys()]);
  const orders = filter.status === undefined ? rows : await ordersOfBatches(db, [...groups.keys()]);
  const summaries = new Map(
    batches.map((batch) => {
      const own = orders.filter(({ batchId }) => batchId === batch.id);
      return [batch.id, presentSummary(batch, own, clock.now())];
    }),
  );
  const data = [...groups.values()].map((group) => ({ ...group, summary: summaries.get(group.batch_id) }));
  return { data, count };
}
