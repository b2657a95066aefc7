/**
 * Notifications of a batch whose orders are about to leave. The transaction that records the batch stores them as one row; the rows of the
 * list, with all their indexes, are written once the orders have left, after a crash by the sweep.
 */
import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { insertOf } from '../../platform/database/many-rows.ts';
import { together, WITHOUT_WAITING, type Writes } from '../../platform/database/write-together.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type NewNotification, notificationWrites } from './record.ts';
import { deferredNotifications } from './table.ts';

const SWEEP_EVERY_MS = 1000;
const SWEPT_AT_ONCE = 100;

type DeferringRuntime = Pick<Runtime, 'clock' | 'random' | 'pubsub' | 'db' | 'log'>;

/** The statements that record notifications of a batch; where its orders leave at once, those that store them for `recordOnceLeft`. */
export function notifyingOf(
  runtime: Pick<Runtime, 'clock' | 'random' | 'pubsub'>,
  { batchId, leavesAtOnce }: { batchId: string; leavesAtOnce: boolean },
  all: readonly NewNotification[],
): Writes {
  if (!leavesAtOnce) return notificationWrites(runtime, all);
  return { writes: [deferredInsert(runtime, batchId, all)], calls: [] };
}

/** Records what was stored of a batch whose transaction has committed, in the tick after the one in which its orders leave. */
export function recordOnceLeft(runtime: DeferringRuntime & Pick<Runtime, 'timers'>, batchId: string): void {
  runtime.timers.after(0, () => void recordDeferred(runtime, batchId));
}

/** The statement that stores notifications until `recordDeferred` is called with their batch. */
export function deferredInsert(
  { clock }: Pick<Runtime, 'clock'>,
  batchId: string,
  all: readonly NewNotification[],
): SQL {
  return insertOf(deferredNotifications, [{ batchId, at: clock.now(), notifications: [...all] }]);
}

/** Records the notifications of a batch, dated as they were stored. Of all calls, in whichever process, one does. */
export async function recordDeferred(runtime: DeferringRuntime, batchId: string): Promise<void> {
  try {
    await runtime.db.transaction(async (tx) => {
      const [stored] = await tx
        .delete(deferredNotifications)
        .where(eq(deferredNotifications.batchId, batchId))
        .returning();
      if (stored === undefined) return;
      const { at, notifications } = stored;
      const { writes, calls } = notificationWrites({ ...runtime, clock: { now: () => at } }, notifications);
      await tx.execute(together(writes, calls));
      // Where the database server dies the stored row is back, and recorded again.
      await tx.execute(sql`select 1 from ${WITHOUT_WAITING}`);
    });
  } catch (error) {
    runtime.log.warn({ err: error, batchId }, 'deferred notifications not recorded, repeated');
  }
}

/** Records what a process that died has left, now and again and again. @returns what ends it */
export async function sweepDeferred(runtime: DeferringRuntime & Pick<Runtime, 'timers'>): Promise<() => void> {
  const { batchId, at } = deferredNotifications;
  const sweep = async () => {
    const left = await runtime.db.select({ batchId }).from(deferredNotifications).orderBy(asc(at)).limit(SWEPT_AT_ONCE);
    for (const each of left) await recordDeferred(runtime, each.batchId);
  };
  await sweep();
  return runtime.timers.every(SWEEP_EVERY_MS, sweep);
}
