import type { OrderGroup } from '@dutchbook/contract/orders.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { readExecutions } from './batch-store.ts';
import { presentSummary } from './batch-summary.ts';
import { presentOrder } from './present.ts';
import {
  listBatchesOfOrders,
  listOrdersOfBatches,
  type OrderFilter,
  type OrderPage,
  ordersOfBatches,
} from './store.ts';

/** A batch may have a hundred orders, and a page a thousand batches: the event loop runs between so many. */
const BATCHES_AT_ONCE = 10;

type GroupsPage = { data: OrderGroup[]; count: number };
type Asked = { filter: OrderFilter; page: OrderPage; withSummaries: boolean };

/**
 * Matching orders by batch, the batches in the order of their first one; a summary is of all orders of its batch. It takes
 * several statements, which all read what is there at one moment.
 */
export async function orderGroups(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  filter: OrderFilter,
  page: OrderPage,
  { withSummaries }: { withSummaries: boolean },
): Promise<GroupsPage> {
  return await inOneSnapshot(db, async (tx) => {
    const { batchIds, count } = await listBatchesOfOrders(tx, filter, page);
    const data: OrderGroup[] = [];
    for (let from = 0; from < batchIds.length; from += BATCHES_AT_ONCE) {
      const some = batchIds.slice(from, from + BATCHES_AT_ONCE);
      data.push(...(await groupsOf({ db: tx, clock }, some, { filter, page, withSummaries })));
    }
    return { data, count };
  });
}

async function groupsOf(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  batchIds: readonly string[],
  { filter, page, withSummaries }: Asked,
): Promise<OrderGroup[]> {
  const rows = await listOrdersOfBatches(db, filter, page, batchIds);
  const ofBatch = Map.groupBy(rows, ({ batchId }) => batchId);
  const groups = batchIds.map((id) => ({ batch_id: id, orders: (ofBatch.get(id) ?? []).map(presentOrder) }));
  if (!withSummaries) return groups;
  const batches = await readExecutions(db, batchIds);
  const all = filter.status === undefined ? rows : await ordersOfBatches(db, batchIds);
  const summaries = new Map(
    batches.map((batch) => {
      const own = all.filter(({ batchId }) => batchId === batch.id);
      return [batch.id, presentSummary(batch, own, clock.now())];
    }),
  );
  return groups.map((group) => ({ ...group, summary: summaries.get(group.batch_id) }));
}
