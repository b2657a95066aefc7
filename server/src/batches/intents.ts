/** What people, or the product itself, ask of a batch that exists. The placing loop carries it out. */
import { cancelRefusal, retryRefusal } from '@dutchbook/engine/batch/actions.ts';
import { batchAfter } from '@dutchbook/engine/batch/life.ts';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { batches } from '../world/schema.ts';
import { noEarlier, notBefore } from '../world/update-time.ts';
import type { Clock, Db } from '../world/world.ts';
import { ACTIVE_STATUSES, type BatchRow, lockBatch } from './store.ts';

/** `repeated`: it was asked for already, so nothing has changed. `reason` is a sentence. */
export type Requested = { kind: 'requested'; batch: BatchRow; repeated: boolean } | { kind: 'refused'; reason: string };

/** The state of a batch refuses what is asked; null where there is no such batch. */
type Asked = Promise<Requested | null>;

/**
 * Asks for what the batch still lacks to be bought; `byHand`: a person does. Whether it still pays is looked at when it is
 * carried out.
 */
export async function requestRetry(tx: Db, { clock }: { clock: Clock }, batchId: string, byHand: boolean): Asked {
  const batch = await lockBatch(tx, batchId);
  if (batch === null) return null;
  const refusal = retryRefusal(batch);
  if (refusal !== null) return { kind: 'refused', reason: `${refusal}.` };
  const next = batchAfter(batch.status, 'retry_requested');
  if (next.kind === 'refused') return { kind: 'refused', reason: `${next.reason}.` };
  const now = clock.now();
  const changed = {
    status: next.status,
    retryCount: batch.retryCount + 1,
    retryRequestedAt: now,
    retriedByHand: byHand,
    cancelRequestedAt: null,
    executionCompletedAt: null,
    lastError: null,
    updatedAt: notBefore(batch, now),
  };
  const isAlone = await unlessTaken(tx, (inner) =>
    inner.update(batches).set(changed).where(eq(batches.id, batchId)).execute(),
  );
  if (!isAlone) return { kind: 'refused', reason: 'The opportunity has an active batch already.' };
  return { kind: 'requested', batch: { ...batch, ...changed }, repeated: false };
}

/** Asks for the end of a batch: from now on nothing of it leaves, and what rests is taken off the venue. */
export async function requestCancel(tx: Db, { clock }: { clock: Clock }, batchId: string): Asked {
  const batch = await lockBatch(tx, batchId);
  if (batch === null) return null;
  const refusal = cancelRefusal(batch.status);
  if (refusal !== null) return { kind: 'refused', reason: `${refusal}.` };
  if (batch.cancelRequestedAt !== null) return { kind: 'requested', batch, repeated: true };
  const now = clock.now();
  const changed = { cancelRequestedAt: now, updatedAt: notBefore(batch, now) };
  await tx.update(batches).set(changed).where(eq(batches.id, batchId));
  return { kind: 'requested', batch: { ...batch, ...changed }, repeated: false };
}

/** What a batch shows that was ended because somebody disarmed trading. */
export const DISARMED = 'Canceled: trading was disarmed.';

/** Asks for the end of every batch that is being worked on. */
export async function cancelActiveBatches(tx: Db, { clock }: { clock: Clock }): Promise<void> {
  const now = clock.now();
  await tx
    .update(batches)
    .set({ cancelRequestedAt: now, lastError: DISARMED, updatedAt: noEarlier(batches.updatedAt, now) })
    .where(and(inArray(batches.status, [...ACTIVE_STATUSES]), isNull(batches.cancelRequestedAt)));
}

/** Asks for the venue to be asked now about everything in these batches that has not ended. */
export async function requestLook(db: Db, { clock }: { clock: Clock }, batchIds: readonly string[]): Promise<void> {
  await db
    .update(batches)
    .set({ lookRequestedAt: clock.now() })
    .where(inArray(batches.id, [...batchIds]));
}

/** Whether the write was possible beside everything that must be unique; `tx` goes on either way. */
async function unlessTaken(tx: Db, write: (inner: Db) => Promise<unknown>): Promise<boolean> {
  try {
    await tx.transaction(write);
    return true;
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

function sqlState(error: unknown): unknown {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
