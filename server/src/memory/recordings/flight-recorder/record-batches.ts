/**
 * Keeps the books of every batch's legs from before its trigger until after its last answer, in a file of its own that does not age
 * with the recordings it is taken from. What there is to do is found in the rows, so that it goes on after any restart.
 */
import { rm } from 'node:fs/promises';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, asc, eq, gte, inArray, isNull } from 'drizzle-orm';
import { inPartitions } from '../../../platform/engines/in-partitions.ts';
import type { Partitions } from '../../../platform/engines/partitions.ts';
import { openFailureLog } from '../../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, loadBatches } from '../../../trading/orders/batch-state.ts';
import { batches } from '../../../trading/orders/table.ts';
import { LEAD_MS } from '../merged-records.ts';
import { batchRecordings } from '../table.ts';
import { batchFile, listBatchFiles, removeUnfinished, writeBatchFile } from './batch-files.ts';

const EVERY_MS = 1000;
const TRIM_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time of books kept before the trigger and after the last answer. */
const MARGIN_MS = 5000;
/** What is answered later than this after the trigger is not waited for. */
export const LONGEST_MS = 600_000;
/** After this time everything recorded until now is on disk. */
const ON_DISK_MS = 3000;
/** Batches whose rows are read together. */
const SLICE = 20;
const LOOKED_AT = 1000;

export type FlightRecorderPlan = {
  folder: string;
  venue: string;
  /** Batches that are older than recordings are kept have nothing to be taken from. */
  days: number;
  /** Bytes of all files of batches; the oldest go first. */
  maxBytes: number;
  partitions: Pick<Partitions, 'held'>;
};

export type FlightRecorder = {
  /** From when on recordings are still needed for a batch; null where none is. */
  neededSince: () => Instant | null;
  stop: () => Promise<void>;
};

type RecorderRuntime = Pick<Runtime, 'db' | 'clock' | 'timers' | 'log'>;

export function startFlightRecorder(runtime: RecorderRuntime, plan: FlightRecorderPlan): FlightRecorder {
  const { clock, timers, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'books of batches not kept, tried again');
  let neededSince: Instant | null = null;
  let isStopped = false;
  const attempt = (run: () => Promise<void>) =>
    oneAtATime(async () => {
      try {
        await run();
        failures.succeeded();
      } catch (error) {
        failures.failed(error);
      }
    });
  const begun = removeUnfinished(plan.folder);
  const work = attempt(async () => {
    await begun;
    const open = await readUnkept(runtime.db, plan, clock.now());
    const [oldest] = open;
    neededSince = oldest === undefined ? null : instantFromMs(oldest.createdAt - MARGIN_MS - LEAD_MS);
    const mayBeOver = open.filter(
      ({ status, createdAt }) => !isActive(status) || createdAt + LONGEST_MS <= clock.now(),
    );
    const errors: unknown[] = [];
    for (let start = 0; start < mayBeOver.length && !isStopped; start += SLICE) {
      const ids = mayBeOver.slice(start, start + SLICE).map(({ id }) => id);
      for (const state of await loadBatches(runtime.db, inArray(batches.id, ids))) {
        if (isStopped || !isDue(state, clock.now())) continue;
        // One that cannot be kept does not keep the others waiting.
        await keepBatch(runtime, plan, state).catch((error: unknown) => errors.push(error));
      }
    }
    if (errors.length > 0) throw errors[0];
  });
  const trim = attempt(() => trimBatchFiles(runtime.db, plan));
  const stops = [timers.every(EVERY_MS, work), timers.every(TRIM_MS, trim)];
  return {
    neededSince: () => neededSince,
    stop: async () => {
      isStopped = true;
      for (const stop of stops) stop();
      await work.ended();
      await trim.ended();
    },
  };
}

/** The oldest first. */
async function readUnkept(db: Db, { partitions, days }: FlightRecorderPlan, now: Instant) {
  return await db
    .select({ id: batches.id, createdAt: batches.createdAt, status: batches.status })
    .from(batches)
    .leftJoin(batchRecordings, eq(batchRecordings.batchId, batches.id))
    .where(
      and(
        isNull(batchRecordings.batchId),
        gte(batches.createdAt, instantFromMs(now - days * DAY_MS)),
        inPartitions(batches.opportunityId, partitions.held()),
      ),
    )
    .orderBy(asc(batches.createdAt))
    .limit(LOOKED_AT);
}

function isDue(state: BatchState, now: Instant): boolean {
  const { until } = spanOf(state);
  const isOver = !isActive(state.batch.status) && !state.batch.saleUnderWay;
  const isLongAgo = state.batch.createdAt + LONGEST_MS <= now;
  return (isOver || isLongAgo) && until + ON_DISK_MS <= now;
}

/** From before the trigger until after the last answer that has come. */
export function spanOf({ batch, attempts, fills }: BatchState): { from: Instant; until: Instant } {
  const answers = [
    batch.createdAt,
    batch.executionCompletedAt,
    ...attempts.flatMap(({ sentAt, answeredAt, endedAt }) => [sentAt, answeredAt, endedAt]),
    ...fills.map(({ matchedAt }) => matchedAt),
  ].filter((at) => at !== null);
  const until = Math.min(Math.max(...answers) + MARGIN_MS, batch.createdAt + LONGEST_MS);
  return { from: instantFromMs(batch.createdAt - MARGIN_MS), until: instantFromMs(until) };
}

/** The row says so once the file is whole. Who comes second with it, of several engines, has written the same. */
async function keepBatch({ db, clock }: RecorderRuntime, plan: FlightRecorderPlan, state: BatchState): Promise<void> {
  const { folder, venue } = plan;
  const { id: batchId } = state.batch;
  const span = spanOf(state);
  const tokenIds = new Set(state.orders.map(({ tokenId }) => tokenId));
  const bytes = await writeBatchFile({ folder, tokenIds, ...span }, venue, batchId);
  const kept = { state: bytes === null ? ('missing' as const) : ('kept' as const), bytes: bytes ?? 0 };
  await db
    .insert(batchRecordings)
    .values({ batchId, venue, ...span, ...kept, keptAt: clock.now() })
    .onConflictDoNothing();
}

/** Deletes files of deleted batches, and the oldest beyond the limit. */
async function trimBatchFiles(db: Db, { folder, maxBytes }: FlightRecorderPlan): Promise<void> {
  const files = await listBatchFiles(folder);
  const ids = files.map(({ batchId }) => batchId);
  const known =
    ids.length === 0 ? [] : await db.select({ id: batches.id }).from(batches).where(inArray(batches.id, ids));
  const isThere = new Set(known.map(({ id }) => id));
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of files) {
    if (isThere.has(file.batchId) && bytes <= maxBytes) continue;
    await db
      .update(batchRecordings)
      .set({ state: 'missing', bytes: 0 })
      .where(eq(batchRecordings.batchId, file.batchId));
    await rm(batchFile(folder, file.batchId), { force: true });
    bytes -= file.bytes;
  }
}
