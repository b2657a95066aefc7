/** What an earlier run, or another engine, has left of batches: nothing new is bought until the venue was asked about it. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { unfinishedBatchIds } from '../../batches/store.ts';
import type { World } from '../../world/world.ts';
import { isFinalOrder, loadBatchState } from './batch-state.ts';

const READ_AGAIN_MS = 1000;

export type LeftBehind = {
  isEmpty: () => boolean;
  /** Notes what is unfinished of these shares, all where it is null; until it is read, nothing counts as reconciled. */
  add: (shares: readonly number[] | null) => Promise<void>;
  /** Looks whether a batch is reconciled, after somebody has worked on it. */
  look: (batchId: string) => Promise<void>;
  /** Looks at those that others work on, and forgets those of which nothing is unfinished any more. */
  lookAtOthers: (ours: ReadonlySet<string>, isAll: boolean) => Promise<void>;
};

export function noteLeftBehind(world: Pick<World, 'clock' | 'db' | 'log' | 'timers'>): LeftBehind {
  const { clock, db, log, timers } = world;
  const since = new Map<string, Instant>();
  let beingRead = 0;

  async function read(shares: readonly number[] | null, from: Instant): Promise<void> {
    try {
      for (const id of await unfinishedBatchIds(db, { shares })) since.set(id, from);
      beingRead -= 1;
    } catch (error) {
      log.error({ err: error }, 'what was left behind could not be read, and is once more');
      timers.after(READ_AGAIN_MS, () => read(shares, from));
    }
  }

  async function look(batchId: string): Promise<void> {
    const from = since.get(batchId);
    if (from !== undefined && (await isReconciled(world, batchId, from))) since.delete(batchId);
  }

  return {
    isEmpty: () => since.size === 0 && beingRead === 0,
    add: (shares) => {
      beingRead += 1;
      return read(shares, clock.now());
    },
    look,
    lookAtOthers: async (ours, isAll) => {
      if (since.size === 0) return;
      const unfinished = isAll ? ours : new Set(await unfinishedBatchIds(db));
      for (const id of [...since.keys()]) {
        if (!unfinished.has(id)) since.delete(id);
        else if (!ours.has(id)) await look(id);
      }
    },
  };
}

/** Whether nothing of this batch is in doubt: all that was sent is answered for, and what stands was read since then. */
async function isReconciled({ db }: Pick<World, 'db'>, batchId: string, since: Instant): Promise<boolean> {
  const state = await loadBatchState(db, batchId);
  if (state === null || !(isActive(state.batch.status) || state.batch.saleUnderWay)) return true;
  const final = new Set(
    [...state.orders, ...state.sales].filter((order) => isFinalOrder(state, order)).map(({ id }) => id),
  );
  return state.attempts
    .filter(({ orderId, status }) => !final.has(orderId) && status !== 'refused' && status !== 'failed')
    .every(({ status, updatedAt }) => status !== 'prepared' && status !== 'sent' && updatedAt >= since);
}
