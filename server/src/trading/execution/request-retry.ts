import { finishRequestRefusal, retryRefusal } from '@dutchbook/engine/batch/actions.ts';
import { batchAfter } from '@dutchbook/engine/batch/life.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { lock } from '../../platform/database/locks.ts';
import { notBefore } from '../../platform/database/update-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockBatch } from '../orders/batch-store.ts';
import type { Asked } from '../orders/intents.ts';
import { batches } from '../orders/table.ts';
import { venuesOfBatch } from '../orders/venue-in.ts';
import { armedUntilEnd } from '../trading-controls/store.ts';

/**
 * Asks for what the batch still lacks to be bought; `retriedBy`: a person, who alone may take back that its end was
 * asked for. Whether it still pays is looked at when it is carried out. With `finishUpTo` only what makes whole sets of its
 * unhedged shares is bought, for so many dollars at most, also at a loss.
 */
export async function requestRetry(
  tx: Db,
  { clock, config }: Pick<Runtime, 'clock' | 'config'>,
  batchId: string,
  retriedBy: string | null,
  finishUpTo: Usd | null = null,
): Asked {
  // A batch becomes active under this lock alone, so that a placing sees it.
  await lock(tx, 'spending');
  // First of the rows: disarming locks this before any batch.
  const armedAt = await armedUntilEnd(tx, config.venueMode);
  const batch = await lockBatch(tx, batchId);
  if (batch === null) return null;
  const refusal = finishUpTo === null ? retryRefusal(batch) : finishRequestRefusal(batch);
  if (refusal !== null) return { kind: 'refused', reason: `${refusal}.` };
  if (finishUpTo !== null && batch.unhedged === null)
    return { kind: 'refused', reason: 'No set is to be finished: all that the batch holds is in whole sets.' };
  if (!batch.simulated && !(await venuesOfBatch(tx, batchId)).every(armedAt))
    return { kind: 'refused', reason: 'Trading is disarmed.' };
  if (retriedBy === null && (batch.cancelRequestedAt !== null || batch.canceledBefore))
    return { kind: 'refused', reason: 'Its end was asked for.' };
  const next = batchAfter(batch.status, finishUpTo === null ? 'retry_requested' : 'finish_requested');
  if (next.kind === 'refused') return { kind: 'refused', reason: `${next.reason}.` };
  const now = clock.now();
  const changed = {
    status: next.status,
    // Finishing the set beyond the last retry counts as none.
    retryCounted: finishUpTo !== null && batch.retryCount >= batch.maxRetries,
    canceledBefore: finishUpTo !== null && (batch.status === 'canceled' || batch.canceledBefore),
    retryRequestedAt: now,
    retriedByHand: retriedBy !== null,
    retriedBy,
    finishUpTo,
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
