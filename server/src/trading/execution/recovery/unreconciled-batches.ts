/** Batches that an earlier run, or another engine, left unreconciled: nothing new is bought until the venue was asked about them. */
import { isReconciled } from '@dutchbook/engine/batch/reconciled.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { openFailureLog } from '../../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, isFinalOrder, loadBatch, orderOf } from '../../orders/batch-state.ts';
import { batchIdsUnderWay, unfinishedBatchIds } from '../../orders/batch-store.ts';

const READ_AGAIN_MS = 1000;

export type UnreconciledBatches = {
  isEmpty: () => boolean;
  /** Notes what is under way of these shares, all where it is null; until it is read, nothing counts as reconciled. */
  add: (shares: readonly number[] | null) => Promise<void>;
  /** Checks whether a batch is reconciled, after a worker has advanced it. */
  check: (batchId: string) => Promise<void>;
  /** Checks those that others carry out, and forgets those of which nothing is unfinished any more. */
  checkOthers: (ours: ReadonlySet<string>, isAll: boolean) => Promise<void>;
};

/** Where nothing was ever sent there is nothing to ask about. */
export const NOTHING_UNRECONCILED: UnreconciledBatches = {
  isEmpty: () => true,
  add: async () => {},
  check: async () => {},
  checkOthers: async () => {},
};

export function trackUnreconciled(runtime: Pick<Runtime, 'clock' | 'db' | 'log' | 'timers'>): UnreconciledBatches {
  const { clock, db, log, timers } = runtime;
  const since = new Map<string, Instant>();
  const failures = openFailureLog(log, 'error', 'unfinished batches not read, repeated every second');
  let beingRead = 0;

  async function read(shares: readonly number[] | null, from: Instant): Promise<void> {
    try {
      // An ended batch only waits for its trades to settle, which may take long: do not wait for it.
      for (const id of await batchIdsUnderWay(db, shares)) since.set(id, from);
      beingRead -= 1;
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
      timers.after(READ_AGAIN_MS, () => read(shares, from));
    }
  }

  async function check(batchId: string): Promise<void> {
    const from = since.get(batchId);
    if (from === undefined) return;
    const state = await loadBatch(db, batchId);
    if (state === null || isReconciled(reconciledInput(state), from)) since.delete(batchId);
  }

  return {
    isEmpty: () => since.size === 0 && beingRead === 0,
    add: (shares) => {
      beingRead += 1;
      return read(shares, clock.now());
    },
    check,
    checkOthers: async (ours, isAll) => {
      if (since.size === 0) return;
      const unfinished = isAll ? ours : new Set(await unfinishedBatchIds(db));
      for (const id of [...since.keys()]) {
        if (!unfinished.has(id)) since.delete(id);
        else if (!ours.has(id)) await check(id);
      }
    },
  };
}

function reconciledInput(state: BatchState) {
  const { status, saleUnderWay } = state.batch;
  const attempts = state.attempts.map((attempt) => ({
    status: attempt.status,
    isOrderFinal: isFinalOrder(state, orderOf(state, attempt.orderId)),
    readAt: attempt.updatedAt,
  }));
  return { status, saleUnderWay, attempts };
}
