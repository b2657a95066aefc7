import { desc, isNotNull } from 'drizzle-orm';
import { presentBatch } from '../../batches/present.ts';
import { readBatch } from '../../batches/store.ts';
import { presentOrder } from '../../orders/present.ts';
import { ordersOfBatches } from '../../orders/store.ts';
import type { Quotes, StreamHub } from '../../parts.ts';
import { batches } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';

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

/** Nobody watches more batches than this at once, and those of long ago are not watched at all. */
const UNHEDGED_TOLD_MAX = 50;

/** Tells open tabs what getting out of unhedged shares costs now: the bids move also where the batches do not. */
export async function tellUnwindCosts({ world: { db }, stream, quotes }: TellingParts): Promise<void> {
  const isWatched = (id: string) => stream.watched('batches') || stream.watched(`batch:${id}`);
  const unhedged = await db
    .select({ id: batches.id })
    .from(batches)
    .where(isNotNull(batches.unhedged))
    .orderBy(desc(batches.createdAt))
    .limit(UNHEDGED_TOLD_MAX);
  for (const { id } of unhedged) if (isWatched(id)) await publishBatch(db, stream, id, quotes);
}

type TellingParts = { world: Pick<World, 'db'>; stream: StreamHub; quotes: Pick<Quotes, 'current'> };
