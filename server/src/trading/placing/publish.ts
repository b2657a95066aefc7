import { presentBatch } from '../../batches/present.ts';
import { readBatch } from '../../batches/store.ts';
import { presentOrder } from '../../orders/present.ts';
import { ordersOfBatches } from '../../orders/store.ts';
import type { Quotes, StreamHub } from '../../parts.ts';
import type { Db, World } from '../../world/world.ts';
import type { Aftermath } from './aftermath.ts';

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

/** Tells open tabs what getting out of unhedged shares costs now: the bids move also where the batches do not. */
export async function tellUnwindCosts(
  { world: { db }, stream, quotes }: TellingParts,
  ended: readonly Aftermath[],
): Promise<void> {
  const isWatched = (id: string) => stream.watched('batches') || stream.watched(`batch:${id}`);
  const unhedged = ended.filter(({ unhedgedSince }) => unhedgedSince !== null).slice(0, UNHEDGED_TOLD_MAX);
  for (const { id } of unhedged) if (isWatched(id)) await publishBatch(db, stream, id, quotes);
}

/** Nobody watches more batches than this at once. */
const UNHEDGED_TOLD_MAX = 50;

type TellingParts = { world: Pick<World, 'db'>; stream: StreamHub; quotes: Pick<Quotes, 'current'> };
