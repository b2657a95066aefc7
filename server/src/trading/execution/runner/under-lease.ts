/** The transaction of every write of the batch runner: it proves the lease, and derives what orders and batch show. */

import { type BatchEvent, batchAfter, isActive } from '@dutchbook/engine/batch/life.ts';
import { eq, type SQLWrapper } from 'drizzle-orm';
import { notificationWrites, recordNotification } from '../../../people/notifications/record.ts';
import { executeNamed } from '../../../platform/database/named.ts';
import { notBefore } from '../../../platform/database/update-time.ts';
import { together } from '../../../platform/database/write-together.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { postFills } from '../../ledger/post-fills.ts';
import { type BatchRecord, type BatchState, loadBatch } from '../../orders/batch-state.ts';
import { derivedBatch, statusAfterResettlement } from '../../orders/derived-rows.ts';
import { batches } from '../../orders/table.ts';
import { entriesOfBatch, reserveWrites } from '../../under-way/reserve.ts';
import { type Lease, proveLease } from './batch-lease.ts';
import { failedTrades, notificationsOfBatch, notifyOfFailedTrades } from './batch-notifications.ts';
import { orderWrites } from './order-writes.ts';

export type Writer = Pick<Runtime, 'db' | 'clock' | 'databaseNow' | 'random' | 'pubsub' | 'log'>;
export type Change = (tx: Db, state: BatchState) => Promise<void>;

/**
 * `lockFirst` locks what else the change rests on. Every transaction locks in one order, so that no two wait for each
 * other: opportunity, spending, trading controls, batch.
 */
export async function underLease(
  runtime: Writer,
  lease: Lease,
  change: Change,
  lockFirst: (tx: Db) => Promise<void> = async () => {},
): Promise<BatchState> {
  return await runtime.db.transaction(async (tx) => {
    await lockFirst(tx);
    await proveLease(tx, runtime, lease);
    const before = await stateOf(tx, lease.batchId);
    await change(tx, before);
    return await derived(tx, runtime, before, { changed: await stateOf(tx, lease.batchId) });
  });
}

type DerivedChange = { changed: BatchState; writes?: readonly SQLWrapper[]; also?: Partial<BatchRecord> };

/** Carries out `writes`, after which the batch is `changed`, and writes what follows from that, with `also` of the batch. */
export async function derived(
  tx: Db,
  runtime: Writer,
  before: BatchState,
  { changed, writes = [], also = {} }: DerivedChange,
): Promise<BatchState> {
  const shown = shownWrites(tx, runtime, changed, also);
  const reserving = reserveWrites(entriesOfBatch(before), changed);
  const isConsistent = statusAfterResettlement(changed) === null;
  const reported = notificationWrites(runtime, isConsistent ? notificationsOfBatch(before, changed) : []);
  await executeNamed(tx, together([...writes, ...shown, ...reserving, ...reported.writes], reported.calls));
  const after = isConsistent ? changed : await keptInLine(tx, runtime, changed);
  await postFills(tx, runtime, before.fills, after);
  await notifyOfFailedTrades(tx, runtime, failedTrades(before), after);
  if (isConsistent) return after;
  for (const write of reserveWrites(entriesOfBatch(changed), after)) await tx.execute(write);
  for (const each of notificationsOfBatch(before, after)) await recordNotification(tx, runtime, each);
  return after;
}

export async function stateOf(tx: Db, batchId: string): Promise<BatchState> {
  const state = await loadBatch(tx, batchId);
  if (!state) throw new Error(`batch ${batchId} has a lease but no row`);
  return state;
}

export async function moveBatch(
  tx: Db,
  runtime: Writer,
  state: BatchState,
  { event, lastError }: { event: BatchEvent; lastError?: string | null },
): Promise<void> {
  await tx
    .update(batches)
    .set({ ...moved(runtime, state, event), ...(typeof lastError === 'string' ? { lastError } : {}) })
    .where(eq(batches.id, state.batch.id));
}

/** The batch moved along its life table; a move the table refuses is a bug here, not an update. */
export function moved({ clock }: Writer, { batch }: BatchState, event: BatchEvent): Partial<BatchRecord> {
  const now = clock.now();
  const next = batchAfter(batch.status, event);
  if (next.kind === 'refused') throw new Error(`batch ${batch.id}: ${next.reason}`);
  const ends = isActive(batch.status) && !isActive(next.status);
  return {
    status: next.status,
    executionStartedAt: batch.executionStartedAt ?? now,
    ...(ends && { releasedAt: null }),
    ...(ends ? { executionCompletedAt: now } : {}),
  };
}

const UNDONE = 'A trade was undone or turned up after the batch had ended.';

/**
 * A batch that has ended follows its fills in the transaction that records them: once all of them have settled, the runner does not
 * read it again.
 */
async function keptInLine(tx: Db, runtime: Writer, state: BatchState): Promise<BatchState> {
  const event = statusAfterResettlement(state);
  if (event === null) return state;
  const { id, status } = state.batch;
  runtime.log.warn({ batchId: id, from: status, to: event }, 'ended batch resettled');
  await moveBatch(tx, runtime, state, { event, lastError: UNDONE });
  return await stateOf(tx, id);
}

/** Writes the derived columns of orders and batch that no longer agree with attempts and fills, and updates the state likewise. */
function shownWrites(db: Db, runtime: Writer, state: BatchState, also: Partial<BatchRecord>): SQLWrapper[] {
  const now = runtime.clock.now();
  const ofOrders = orderWrites(db, state, now);
  const updatedAt = notBefore(state.batch, now);
  const shown = { ...derivedBatch(state, now), ...also, resultsDue: true, updatedAt };
  Object.assign(state.batch, shown);
  return [...ofOrders, db.update(batches).set(shown).where(eq(batches.id, state.batch.id))];
}
