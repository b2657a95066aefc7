/** The batches that one process carries out: any number at once, and each by one worker at a time. */

import type { Partitions } from '../../../platform/engines/partitions.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { unfinishedBatchIds } from '../../orders/batch-store.ts';
import type { FastPath, StartedBatch } from '../fast-path/start-batch.ts';
import type { UnreconciledBatches } from '../recovery/unreconciled-batches.ts';
import { advanceBatch, advanceStarted } from './advance-batch.ts';
import type { RunnerContext } from './runner-context.ts';

/** How often all unfinished batches are taken up: those of a process that died, or of which an event was lost. */
export const SWEEP_EVERY_MS = 1000;

export type BatchWorkers = {
  /** Has a worker take up the batch, again where it has one. */
  wake: (batchId: string) => void;
  /** Wakes whatever is unfinished of the partitions held here. */
  sweep: () => Promise<void>;
  /** Wakes the batch if it is one of those. */
  wakeIfUnfinished: (batchId: string) => Promise<void>;
  reserve: FastPath['reserve'];
  /** Calls back when nothing more is to be done for a batch for now. @returns what ends it */
  onRested: (react: () => void) => () => void;
  /** Starts no worker any more, and resolves when those that run have ended. */
  stop: () => Promise<void>;
};

export function startBatchWorkers(
  { runtime, partitions }: { runtime: Runtime; partitions: Partitions },
  context: RunnerContext,
  unreconciled: UnreconciledBatches,
): BatchWorkers {
  const running = new Map<string, Promise<void>>();
  const wokenAgain = new Set<string>();
  const reactions = new Set<() => void>();
  /** Batches of partitions held here: another engine may take one over while a worker waits. */
  const ours = new Set<string>();
  let stopped = false;

  function wake(batchId: string): void {
    if (stopped) return;
    if (running.has(batchId)) {
      ours.add(batchId);
      wokenAgain.add(batchId);
    } else runWorker(batchId, advanceBatch(context, batchId));
  }

  /** `advancing` answers after how long the batch is to be taken up again. */
  function runWorker(batchId: string, advancing: Promise<number | null>): void {
    ours.add(batchId);
    const worker = advancing
      .then(async (pauseMs) => {
        await unreconciled.check(batchId);
        if (pauseMs !== null && pauseMs < SWEEP_EVERY_MS) runtime.timers.after(pauseMs, () => wakeIfOurs(batchId));
      })
      .catch((error: unknown) => runtime.log.error({ err: error, batchId }, 'batch worker failed'))
      .finally(() => {
        running.delete(batchId);
        if (wokenAgain.delete(batchId)) wakeIfOurs(batchId);
        else for (const react of reactions) react();
      });
    running.set(batchId, worker);
  }

  function wakeIfOurs(batchId: string): void {
    if (partitions.held() === null || ours.has(batchId)) wake(batchId);
  }

  return {
    wake,
    reserve(batchId) {
      if (stopped) return null;
      const { promise, resolve } = Promise.withResolvers<StartedBatch | null>();
      const advancing = promise.then((started) => {
        ours.add(batchId);
        return started === null ? advanceBatch(context, batchId) : advanceStarted(context, started);
      });
      runWorker(batchId, advancing);
      return resolve;
    },
    onRested(react) {
      reactions.add(react);
      return () => void reactions.delete(react);
    },
    async sweep() {
      const unfinished = await unfinishedBatchIds(runtime.db, { partitions: partitions.held() });
      ours.clear();
      for (const batchId of unfinished) wake(batchId);
      await unreconciled.checkOthers(new Set(unfinished), partitions.held() === null);
    },
    async wakeIfUnfinished(batchId) {
      for (const id of await unfinishedBatchIds(runtime.db, { batchId, partitions: partitions.held() })) wake(id);
    },
    async stop() {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}
