/** The queue of background work, in the database: it outlives the request that asked for it, and the process. */
import { PgBoss } from 'pg-boss';
import { openFailureLog } from '../runtime/failure-log.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A job whose process has died is given to another after its heartbeat is late, plus this interval of looking. */
const MONITOR_SECONDS = 10;
const CONNECTIONS = 3;
const STOP_WITHIN_MS = 5000;
/** How late a job of the calendar may begin. */
const CALENDAR_POLL_SECONDS = 30;
/** It says what fails and never what works, and asks the database every few seconds. */
const RECOVERED_AFTER_MS = 10_000;

export type Queue = {
  boss: PgBoss;
  /** Aborted when the process stops: work ends soon and is taken up again by the next process. */
  stopping: AbortSignal;
  stop: () => Promise<void>;
};

/** With `keepsCalendar` this process queues the jobs that are to run at fixed times, once for all processes that do. */
export async function openQueue(
  { log, queueOptions, timers }: Pick<Runtime, 'log' | 'queueOptions' | 'timers'>,
  { keepsCalendar = false }: { keepsCalendar?: boolean } = {},
): Promise<Queue> {
  const boss = new PgBoss({
    ...queueOptions,
    schedule: keepsCalendar,
    cronWorkerIntervalSeconds: CALENDAR_POLL_SECONDS,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    max: CONNECTIONS,
  });
  const failures = openFailureLog(log, 'error', 'job queue failed');
  let cancelRecovered = () => {};
  boss.on('error', (error) => {
    cancelRecovered();
    failures.failed(error);
    cancelRecovered = timers.after(RECOVERED_AFTER_MS, failures.succeeded);
  });
  await boss.start();
  const stopping = new AbortController();
  return {
    boss,
    stopping: stopping.signal,
    stop: async () => {
      stopping.abort(new Error('the process stops'));
      await boss.stop({ graceful: true, timeout: STOP_WITHIN_MS });
      cancelRecovered();
    },
  };
}
