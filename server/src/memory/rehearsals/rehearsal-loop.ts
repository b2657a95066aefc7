/** Runs queued rehearsals one after the other, each in a thread of limited memory, which is terminated when its rehearsal is canceled. */
import { Worker } from 'node:worker_threads';
import { rehearsalProgram } from '../../folders.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { fail, giveBack, hold, takeNext } from './rehearsal-lease.ts';
import { venueOf } from './store.ts';
import type { WorkerMessage, WorkerTask } from './worker-messages.ts';

const LOOK_EVERY_MS = 500;
const THREAD = { program: rehearsalProgram, megabytes: 1024 };

type LoopRuntime = Pick<
  Runtime,
  'config' | 'clock' | 'databaseNow' | 'db' | 'log' | 'queueOptions' | 'random' | 'timers'
>;

/** `folder`: where the recordings of the venue lie. `thread`: what runs in it, and how much memory it may take. */
export function startRehearsing(runtime: LoopRuntime, folder: string, thread = THREAD): () => Promise<void> {
  const { clock, random, timers, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'rehearsals not carried out, tried again twice a second');
  const owner = random.uuid();
  let running: Run | null = null;
  let isStopped = false;

  async function begin(): Promise<Run | null> {
    const taken = await takeNext(runtime, owner);
    if (taken === null) return null;
    const { connectionString: databaseUrl } = runtime.queueOptions;
    const aheadMs = clock.now() - Date.now();
    return startRun(thread, { databaseUrl, folder, venue: venueOf(runtime), owner, aheadMs, ...taken });
  }

  /** @returns whether it goes on */
  async function follow({ id, outcome, progress, end }: Run): Promise<boolean> {
    const { isOver, error } = outcome();
    if (!isOver && (await hold(runtime, owner, id, progress()))) return true;
    if (error !== null) await fail(runtime, owner, id, error);
    await end();
    return false;
  }

  const work = oneAtATime(async () => {
    if (isStopped) return;
    try {
      if (running === null) running = await begin();
      else if (!(await follow(running))) running = null;
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stopLooking = timers.every(LOOK_EVERY_MS, work);
  return async () => {
    isStopped = true;
    stopLooking();
    await work.ended();
    if (running === null) return;
    await running.end();
    await giveBack(runtime, owner, running.id).catch((error: unknown) => failures.failed(error));
  };
}

type Run = {
  id: string;
  /** `error`: why there is nothing to be had of it; null while it runs, and where what it found is stored. */
  outcome: () => { isOver: boolean; error: string | null };
  progress: () => number;
  end: () => Promise<void>;
};

function startRun({ program, megabytes }: typeof THREAD, task: WorkerTask): Run {
  const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 64 };
  const worker = new Worker(program, { workerData: task, resourceLimits, execArgv: [], name: 'rehearsal' });
  let outcome: ReturnType<Run['outcome']> = { isOver: false, error: null };
  let progress = 0;
  const over = (error: string | null) => {
    if (!outcome.isOver) outcome = { isOver: true, error };
  };
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'done') over(null);
    else progress = message.progress;
  });
  worker.on('error', (error) => over(wordsFor(error)));
  worker.on('exit', () => over('It ended without a result.'));
  return {
    id: task.id,
    outcome: () => outcome,
    progress: () => progress,
    end: async () => void (await worker.terminate()),
  };
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isTooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isTooLarge ? 'It needs more memory than a rehearsal may take. Choose a shorter span.' : error.message;
}
