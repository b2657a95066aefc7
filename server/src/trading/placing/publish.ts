import { presentBatch } from '../../batches/present.ts';
import { readBatch } from '../../batches/store.ts';
import { presentOrder } from '../../orders/present.ts';
import { ordersOfBatches } from '../../orders/store.ts';
import type { Quotes, StreamHub } from '../../parts.ts';
import type { Db } from '../../world/world.ts';

/** Tells every open tab what a batch and its orders look like now. */
export async function publishBatch(
  db: Db,
  stream: StreamHub,
  batchId: string,
  quotes: Pick<Quotes, 'current'>,
): Promise<void> {
  const topic = `batch:${batchId}`;
  if (!stream.watched('batches') && !stream.watched(topic)) return;
  const row = await readBatch(db, batchId);
  if (!row) return;
  const orders = await ordersOfBatches(db, [batchId]);
  const data = await presentBatch({ db, quotes }, row);
  stream.publish({ topic: 'batches', type: 'batch', id: batchId, data });
  stream.publish({ topic, type: 'batch', id: batchId, data });
  for (const order of orders) stream.publish({ topic, type: 'order', id: order.id, data: presentOrder(order) });
}
