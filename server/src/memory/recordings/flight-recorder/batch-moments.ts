import type { readBatchMoments } from '@dutchbook/contract/flight-recorder.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { NotFound } from '../../../platform/http/errors.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { timelineOf } from '../../../trading/batches/timeline.ts';
import { submissionsOfSteps } from '../../../trading/chain-steps/store.ts';
import { type BatchState, holdersOf, loadBatch } from '../../../trading/orders/batch-state.ts';
import { type FoundRecord, recordsOf } from '../find-records.ts';
import { batchRecordings } from '../table.ts';
import { batchFile } from './batch-files.ts';
import { collectMoments } from './collect.ts';
import { byMoment } from './past-books.ts';
import { LONGEST_MS, spanOf } from './record-batches.ts';

/** How long after the last answer to a batch its books may still be on their way into its file. */
const KEPT_WITHIN_MS = 60_000;

export type BatchMoments = z.output<typeof readBatchMoments.reply>;

export type PastOfBatches = {
  runtime: Pick<Runtime, 'db' | 'clock'>;
  folder: string;
  /** Whether the books of batches are kept. */
  isOn: boolean;
};

/**
 * The books of a batch's tokens around its orders, instant by instant, from the file that was kept of them; `from`: where the answer
 * before this one ended. @throws NotFound
 */
export async function batchMoments(
  { runtime: { db, clock }, folder, isOn }: PastOfBatches,
  { batchId, from: goOnFrom }: { batchId: string; from: Instant | undefined },
  signal: AbortSignal,
): Promise<BatchMoments> {
  const state = await loadBatch(db, batchId);
  if (state === null) throw new NotFound('Batch not found');
  const legs = state.orders.map(({ leg, marketId, marketName, outcome, tokenId }) => ({
    ...{ leg, market_id: marketId, market_name: marketName, outcome, token_id: tokenId },
  }));
  const [row] = await db.select().from(batchRecordings).where(eq(batchRecordings.batchId, batchId));
  const nothing = { legs, unknown: [], next: null, from: null, until: null, events: [], moments: [] };
  if (row === undefined)
    return { ...nothing, state: isOn && isStillToCome(state, clock.now()) ? 'waiting' : 'missing' };
  if (row.state === 'missing') return { ...nothing, state: 'missing' };
  const from = instantFromMs(Math.max(row.from, goOnFrom ?? row.from));
  const steps = byMoment(ofBatch(batchFile(folder, batchId), row), signal);
  const tokenIds = legs.map(({ token_id: tokenId }) => tokenId);
  const { moments, unknown, next } = await collectMoments(steps, tokenIds, { from, until: row.until }, () => ({}));
  const hasBooks = moments.some((moment) => moment.legs.some(({ bids }) => bids !== null));
  // The row is in the database, but the file lies on another machine.
  if (goOnFrom === undefined && !hasBooks) return { ...nothing, state: 'missing' };
  const events = (await timeline(db, state)).filter(({ at }) => at >= row.from && at <= row.until);
  return { legs, unknown, next, state: 'kept', from: row.from, until: row.until, events, moments };
}

/** Whether its books may still be kept: those of an older batch, or of one from before this feature, never will. */
function isStillToCome(state: BatchState, now: Instant): boolean {
  const isOver = !isActive(state.batch.status) && !state.batch.saleUnderWay;
  return now <= (isOver ? spanOf(state).until : state.batch.createdAt + LONGEST_MS) + KEPT_WITHIN_MS;
}

async function timeline(db: Db, state: BatchState) {
  const stepIds = [...holdersOf(state), ...state.sales].flatMap(({ chainStepId }) => chainStepId ?? []);
  return timelineOf(state, await submissionsOfSteps(db, stepIds));
}

async function* ofBatch(path: string, { from, until }: { from: Instant; until: Instant }): AsyncGenerator<FoundRecord> {
  for await (const record of recordsOf({ path }, from, until)) if (record.kind !== 'mirror') yield record;
}
