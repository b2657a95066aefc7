import type { Instant } from '@dutchbook/units/instant.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { makeDays } from './days.ts';
import { dropOldPoints, thinPoints } from './retention.ts';

const QUEUE = 'price_history_retention';
const EVERY_HOUR = '17 * * * *';

const RETRIES = 3;
const HEARTBEAT_SECONDS = 10;
const POLL_SECONDS = 30;
const KEEP_FINISHED_SECONDS = 3600;

/**
 * From now on makes the days of the price history and ages it, and `ageOther` what it does, every hour, and once at the start for the hours in which nothing
 * ran. How far thinning has got is known to this process only: the first time goes through everything.
 */
export async function startHistoryRetention(
  { boss, stopping }: Queue,
  { db, clock, random, log }: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  ageOther: (db: Db, now: Instant, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await boss.createQueue(QUEUE, {
    policy: 'exclusive',
    retryLimit: RETRIES,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_FINISHED_SECONDS,
  });
  await boss.schedule(QUEUE, EVERY_HOUR);
  await boss.send(QUEUE, {}, { id: random.uuid() });
  let thinnedTo: Instant | null = null;
  await boss.work(QUEUE, { batchSize: 1, pollingIntervalSeconds: POLL_SECONDS }, async () => {
    try {
      await makeDays(db, clock.now());
      await dropOldPoints(db, clock.now(), stopping);
      thinnedTo = await thinPoints(db, clock.now(), thinnedTo, stopping);
      await ageOther(db, clock.now(), stopping);
    } catch (error) {
      log.warn({ err: error }, 'price history retention failed, repeated');
      throw error;
    }
  });
}
