/** Publishing batches to the open tabs: what the rows show, as often as it changes. */

import type { Quotes } from '../../../market/markets/live-quotes.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../../platform/stream/stream-hub.ts';
import { loadBatch } from '../../orders/batch-state.ts';
import { readBatch } from '../../orders/batch-store.ts';
import { presentOrder } from '../../orders/present.ts';
import { withWaysOut } from '../../orders/present-batch.ts';
import { ordersOfState } from '../../orders/store.ts';
import { waysOut } from '../../orders/ways-out.ts';
import type { EndedBatch } from '../recovery/ended-batches.ts';

/** More than a desk watches at once. */
const UNHEDGED_MAX = 50;

export type BatchPublisher = {
  /** Publishes a batch and its orders where they are watched; what fails is published by `publishFailed`. */
  publish: (batchId: string) => Promise<void>;
  /** For when the database answers again. */
  publishFailed: () => Promise<void>;
  /** Publishes those that hold unhedged shares: what getting out of them costs moves also where the batches do not. */
  publishUnhedged: (ended: readonly EndedBatch[]) => Promise<void>;
};

type PublisherParts = { runtime: Pick<Runtime, 'db' | 'log'>; stream: StreamHub; quotes: Pick<Quotes, 'current'> };

/** Publishing never throws: a page must not hold up the batch it shows. */
export function openBatchPublisher(parts: PublisherParts): BatchPublisher {
  const { runtime, stream } = parts;
  /** Batches still to be published, and all whose publishing has failed during the present outage. */
  const failed = new Set<string>();
  const failedSoFar = new Set<string>();

  async function publish(batchId: string): Promise<void> {
    failed.delete(batchId);
    try {
      if (isWatched(stream, batchId)) await publishBatch(parts, batchId);
    } catch (error) {
      if (failedSoFar.size === 0)
        runtime.log.warn({ err: error, batchId }, 'batch publishing failed, repeated every second');
      failedSoFar.add(batchId);
      failed.add(batchId);
    }
  }

  return {
    publish,
    publishFailed: async () => {
      for (const batchId of [...failed]) await publish(batchId);
      if (failedSoFar.size === 0 || failed.size > 0) return;
      runtime.log.info({ batches: failedSoFar.size }, 'batch publishing recovered');
      failedSoFar.clear();
    },
    publishUnhedged: async (ended) => {
      const unhedged = ended.filter(({ unhedgedSince }) => unhedgedSince !== null).slice(0, UNHEDGED_MAX);
      for (const { id } of unhedged) await publish(id);
    },
  };
}

function isWatched(stream: StreamHub, batchId: string): boolean {
  return stream.watched('batches') || stream.watched(`batch:${batchId}`);
}

async function publishBatch({ runtime: { db }, stream, quotes }: PublisherParts, batchId: string): Promise<void> {
  const row = await readBatch(db, batchId);
  const state = await loadBatch(db, batchId);
  if (row === null || state === null) return;
  const topic = `batch:${batchId}`;
  const data = withWaysOut(row, waysOut(state, quotes));
  stream.publish({ topic: 'batches', type: 'batch', id: batchId, data });
  stream.publish({ topic, type: 'batch', id: batchId, data });
  for (const order of ordersOfState(state))
    stream.publish({ topic, type: 'order', id: order.id, data: presentOrder(order) });
}
