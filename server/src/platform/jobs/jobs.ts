/** Background work that an operator asks for: one job of each kind at a time, its progress shown. */
import { type Job, type JobKind, jobKind } from '@dutchbook/contract/jobs.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { type DrizzleTransactionLike, fromDrizzle, type JobWithMetadata, type PgBoss } from 'pg-boss';
import type { Db, Runtime } from '../runtime/runtime.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { JobData, JobWork } from './job-work.ts';
import type { Queue } from './queue.ts';

const KINDS: readonly JobKind[] = jobKind.options;

const HEARTBEAT_SECONDS = 10;
const POLL_SECONDS = 2;
const RETRIES = 3;
const KEEP_FINISHED_SECONDS = 3600;

export type Jobs = {
  /**
   * Queues a job of this kind, in one transaction with what `record` writes; or answers the one that is queued or running
   * already, and then nothing is recorded.
   */
  start: (kind: JobKind, data: JobData, record: (tx: Db) => Promise<void>) => Promise<{ id: string; isNew: boolean }>;
};

type JobsRuntime = Pick<Runtime, 'clock' | 'random' | 'log' | 'db'>;

/** `work` is null in a process that only queues jobs for others. */
export async function startJobs(
  runtime: JobsRuntime,
  { boss, stopping }: Queue,
  stream: StreamHub,
  work: Record<JobKind, JobWork> | null,
): Promise<Jobs> {
  const workers = new Map<JobKind, string>();
  for (const kind of KINDS) {
    await boss.createQueue(kind, {
      policy: 'exclusive',
      retryLimit: RETRIES,
      retryDelay: 1,
      retryBackoff: true,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    });
    // The boss looks a queue up at its first use. Within a transaction that would take a second connection.
    await boss.findJobs(kind, { id: runtime.random.uuid() });
    if (work === null) continue;
    const options = { batchSize: 1, includeMetadata: true, pollingIntervalSeconds: POLL_SECONDS } as const;
    const worker = await boss.work<JobData, string, typeof options>(kind, options, async ([job]) =>
      job === undefined ? '' : runJob(runtime, stream, { kind, work: work[kind], signal: stopping }, job),
    );
    workers.set(kind, worker);
  }

  return {
    start: async (kind, data, record) => {
      const id = runtime.random.uuid();
      const started = await queueOrFind(boss, kind, () =>
        runtime.db.transaction(async (tx) => {
          const queued = await boss.send(kind, data, { id, db: fromDrizzle(tx as DrizzleTransactionLike, sql) });
          if (queued !== null) await record(tx);
          return queued;
        }),
      );
      const worker = workers.get(kind);
      if (worker !== undefined) boss.notifyWorker(worker);
      return started;
    },
  };
}

/** The queue's policy refuses a second job of a kind; by the time it is looked up, the first may have finished. */
async function queueOrFind(
  boss: PgBoss,
  kind: JobKind,
  queue: () => Promise<string | null>,
): Promise<{ id: string; isNew: boolean }> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const queued = await queue();
    if (queued !== null) return { id: queued, isNew: true };
    const unfinished = (await boss.findJobs<JobData>(kind)).find(({ state }) => UNFINISHED.has(state));
    if (unfinished) return { id: unfinished.id, isNew: false };
  }
  throw new Error(`a job of kind ${kind} could neither be queued nor found`);
}

const UNFINISHED: ReadonlySet<string> = new Set(['created', 'retry', 'active']);

/** Runs one job and tells the stream of it; what it throws is the queue's to retry. */
async function runJob(
  { clock, log }: JobsRuntime,
  stream: StreamHub,
  { kind, work, signal }: { kind: JobKind; work: JobWork; signal: AbortSignal },
  { id, data, startedOn, retryCount, retryLimit }: JobWithMetadata<JobData>,
): Promise<string> {
  let shown: Job = {
    id,
    kind,
    status: 'running',
    done: 0,
    total: 0,
    message: null,
    started_at: instantFromMs(startedOn.getTime()),
    finished_at: null,
  };
  const show = (change: Partial<Job>) => {
    shown = { ...shown, ...change };
    stream.publish({ topic: 'jobs', type: 'job', id, data: shown });
  };
  show({ message: retryCount > 0 ? 'Started again' : null });
  try {
    const message = await work(data, { progress: (done, total) => show({ done, total }), signal });
    show({ status: 'done', message, finished_at: clock.now() });
    return message;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ err: error, job: id, kind, retryCount }, 'job interrupted');
    if (signal.aborted || retryCount < retryLimit) show({ message: `Will be tried again: ${reason}` });
    else show({ status: 'failed', message: reason, finished_at: clock.now() });
    throw error;
  }
}
