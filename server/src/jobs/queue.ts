/** The queue of background work, in the database: it outlives the request that asked for it, and the process. */
import { PgBoss } from 'pg-boss';
import type { World } from '../world/world.ts';

/** A job whose process has died is given to another after its heartbeat is late, plus this interval of looking. */
const MONITOR_SECONDS = 10;
const CONNECTIONS = 3;
const STOP_WITHIN_MS = 5000;
/** How late a job of the calendar may begin. */
const CALENDAR_POLL_SECONDS = 30;

export type Queue = {
  boss: PgBoss;
  /** Aborted when the process stops: work ends soon and is taken up again by the next process. */
  stopping: AbortSignal;
  stop: () => Promise<void>;
};

/** With `keepsCalendar` this process queues the jobs that are to run at fixed times, once for all processes that do. */
export async function openQueue(
  { log, queueOptions }: Pick<World, 'log' | 'queueOptions'>,
  { keepsCalendar = false }: { keepsCalendar?: boolean } = {},
): Promise<Queue> {
  const boss = new PgBoss({
    ...queueOptions,
    schedule: keepsCalendar,
    cronWorkerIntervalSeconds: CALENDAR_POLL_SECONDS,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    ...(queueOptions.connectionString === undefined ? {} : { max: CONNECTIONS }),
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  const stopping = new AbortController();
  return {
    boss,
    stopping: stopping.signal,
    stop: async () => {
      stopping.abort(new Error('the process stops'));
      await boss.stop({ graceful: true, timeout: STOP_WITHIN_MS });
    },
  };
}
