/** Records requests for an existing batch, by people or by the product. The batch runner carries them out. */
import { cancelRefusal } from '@dutchbook/engine/batch/actions.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { noEarlier, notBefore } from '../../platform/database/update-time.ts';
import type { Clock, Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES, type BatchRow, lockBatch } from './batch-store.ts';
import { batches } from './table.ts';
import { hasOrdersAt } from './venue-in.ts';

/** `repeated`: it was asked for already, so nothing has changed. `reason` is a sentence. */
export type Requested = { kind: 'requested'; batch: BatchRow; repeated: boolean } | { kind: 'refused'; reason: string };

/** The state of a batch refuses what is asked; null where there is no such batch. */
export type Asked = Promise<Requested | null>;

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

/** The text of a batch that was ended because trading was disarmed. */
export const DISARMED = 'Canceled: trading was disarmed.';

/** Asks for the end of every batch with orders at that venue that is being worked on. */
export async function cancelActiveBatches(tx: Db, { clock }: { clock: Clock }, venue: VenueName): Promise<void> {
  const now = clock.now();
  await tx
    .update(batches)
    .set({ cancelRequestedAt: now, lastError: DISARMED, updatedAt: noEarlier(batches.updatedAt, now) })
    .where(
      and(
        inArray(batches.status, [...ACTIVE_STATUSES]),
        isNull(batches.cancelRequestedAt),
        hasOrdersAt(batches.id, venue),
      ),
    );
}

/** An order that the venue has answered for this recently is not asked for again, however many callers there are. */
const TOLD_LATELY_MS = 2000;

/** Asks for the venue to be asked now about everything in these batches that has not ended. */
export async function requestPoll(db: Db, { clock }: { clock: Clock }, batchIds: readonly string[]): Promise<void> {
  await db
    .update(batches)
    .set({ pollRequestedAt: instantFromMs(clock.now() - TOLD_LATELY_MS) })
    .where(inArray(batches.id, [...batchIds]));
}

export type Placing = {
  /** Work on this batch is due now; without a call the loop finds it within its poll interval. */
  wake: (batchId: string) => void;
  /** Whether the venue has been asked about everything that an earlier run left unfinished. */
  isReconciled: () => boolean;
  stop: () => Promise<void>;
};
