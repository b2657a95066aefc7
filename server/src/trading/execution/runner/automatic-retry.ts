import { isJudgedAgain, isRetriedAlone, isRetryDue } from '@dutchbook/engine/batch/retry.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import { readOpportunity } from '../../../market/opportunities/store.ts';
import { AUTOMATIC_IS_OFF } from '../../../people/system-settings/store.ts';
import { recordAction, THE_SYSTEM } from '../../../platform/audit/record.ts';
import { noEarlier } from '../../../platform/database/update-time.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, deadlineOf, loadBatch, positionsOf } from '../../orders/batch-state.ts';
import { type BatchRow, RETRYABLE_STATUSES, readBatch } from '../../orders/batch-store.ts';
import { batches } from '../../orders/table.ts';
import { judgeRetry, refusalOfRetry } from '../placing/retry.ts';
import type { EndedBatch } from '../recovery/ended-batches.ts';
import { requestRetry } from '../request-retry.ts';
import type { BatchPublisher } from './publish-batch.ts';
import type { RunnerParts } from './runner-context.ts';

type RetryingParts = RunnerParts & { publisher: Pick<BatchPublisher, 'publish'> };

export type AutomaticRetries = {
  /** Asks for the retries of these batches that are due and pay, and answers which. Does nothing while it runs. */
  request: (ended: readonly EndedBatch[]) => Promise<string[]>;
};

/** A retry that was judged not worthwhile, `times` times since the batch `endedAt`, last at these prices. */
type Refusal = {
  endedAt: Instant;
  judgedAt: Instant;
  times: number;
  positions: ReturnType<typeof positionsOf>;
  prices: string;
};

/**
 * Retries of its own accord what has failed or was completed in part, each time after a longer pause. What does not pay
 * is left as it is, says why, and is judged again when prices have moved, or after a while, for as long as a batch is
 * given to complete. One that has waited past its moment because trading was disarmed, or the product was down, for long
 * is left to a person: what made it worth buying is long ago.
 */
export function newAutomaticRetries(parts: RetryingParts): AutomaticRetries {
  const { runtime, quotes, desks, settings } = parts;
  const refusals = new Map<string, Refusal>();
  let isRunning = false;

  async function judgeOne({ id }: EndedBatch): Promise<boolean> {
    const row = await readBatch(runtime.db, id);
    const state = await loadBatch(runtime.db, id);
    if (row === null || state === null || !(await isRetried(runtime, row))) return false;
    const reasons = await judgedAlone(parts, state);
    if (reasons === null) return await requestAlone(runtime, id);
    const { executionCompletedAt: endedAt } = row;
    if (endedAt === null) return false;
    const positions = positionsOf(state);
    const before = refusals.get(id);
    const times = before?.endedAt === endedAt ? before.times + 1 : 1;
    refusals.set(id, { endedAt, judgedAt: runtime.clock.now(), times, positions, prices: pricesOf(quotes, positions) });
    if (reasons.length > 0) await noteRefusal(parts, row, refusalOfRetry(reasons));
    return false;
  }

  function isDue({ id, executionCompletedAt: endedAt, retryCount }: EndedBatch, now: Instant): boolean {
    if (endedAt === null) return false;
    const refusal = refusals.get(id);
    if (refusal?.endedAt !== endedAt) return isRetryDue({ endedAt, retryCount }, now);
    return isJudgedAgain(refusal, now, () => pricesOf(quotes, refusal.positions) !== refusal.prices);
  }

  async function judgeDue(ended: readonly EndedBatch[]): Promise<string[]> {
    const now = runtime.clock.now();
    const due = ended.filter((batch) => isDue(batch, now));
    const longestFirst = due.toSorted(
      (a, b) => (refusals.get(a.id)?.judgedAt ?? 0) - (refusals.get(b.id)?.judgedAt ?? 0),
    );
    const retried: string[] = [];
    for (const batch of longestFirst.slice(0, JUDGED_AT_ONCE)) if (await judgeOne(batch)) retried.push(batch.id);
    return retried;
  }

  return {
    async request(ended) {
      if (isRunning) return [];
      const isOn = settings.current().AUTO_PLACE_ORDER_ENABLED;
      // Each is asked about its own venues where it is requested.
      const armed = desks.all.some(({ controls }) => controls.current().armed);
      const allowed = isOn ? ended.filter(({ simulated }) => armed || simulated) : [];
      const present = new Set(allowed.map(({ id }) => id));
      for (const id of refusals.keys()) if (!present.has(id)) refusals.delete(id);
      if (allowed.length === 0) return [];
      isRunning = true;
      try {
        return await judgeDue(allowed);
      } finally {
        isRunning = false;
      }
    },
  };
}

/** No more batches are judged at once. */
const JUDGED_AT_ONCE = 5;

function pricesOf(quotes: Quotes, positions: Refusal['positions']): string {
  return JSON.stringify(
    quotes.current(positions).map(({ book }) => [book?.asks[0]?.price ?? null, book?.bids[0]?.price ?? null]),
  );
}

async function isRetried({ db, clock }: Pick<Runtime, 'db' | 'clock'>, batch: BatchRow): Promise<boolean> {
  const opportunity = await readOpportunity(db, batch.opportunityId);
  const inputs = {
    ...batch,
    endedAt: batch.executionCompletedAt,
    deadline: deadlineOf(batch),
    cancelRequested: batch.cancelRequestedAt !== null,
    augmentedEvent: opportunity?.augmentedEvent ?? false,
  };
  return isRetriedAlone(inputs, clock.now());
}

/** Why the product may not retry it by itself now, in sentences; none where the venue did not answer, null where it pays. */
async function judgedAlone(parts: RetryingParts, state: BatchState): Promise<string[] | null> {
  try {
    const verdict = await judgeRetry(parts, {
      ...state,
      batch: { ...state.batch, retriedByHand: false, finishUpTo: null },
    });
    return verdict.kind === 'refused' ? verdict.reasons : null;
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return [];
  }
}

async function requestAlone(runtime: Runtime, batchId: string): Promise<boolean> {
  return await runtime.db.transaction(async (tx) => {
    const [stored] = await tx.select({ isOff: AUTOMATIC_IS_OFF }).from(sql`(select 1) one`);
    if (stored?.isOff) return false;
    const answer = await requestRetry(tx, runtime, batchId, null);
    if (answer?.kind !== 'requested') return false;
    await recordAction(tx, runtime, THE_SYSTEM, { action: 'batch.retried', object: batchId });
    return true;
  });
}

/** Shown on the batch as long as it has not been asked for anything else. */
async function noteRefusal(
  parts: RetryingParts,
  { id, executionCompletedAt, lastError: before }: BatchRow,
  lastError: string,
): Promise<void> {
  const { runtime, publisher } = parts;
  if (lastError === before || executionCompletedAt === null) return;
  const asJudged = and(
    eq(batches.id, id),
    eq(batches.executionCompletedAt, executionCompletedAt),
    inArray(batches.status, [...RETRYABLE_STATUSES]),
  );
  const updatedAt = noEarlier(batches.updatedAt, runtime.clock.now());
  await runtime.db.update(batches).set({ lastError, updatedAt }).where(asJudged);
  await publisher.publish(id);
}
