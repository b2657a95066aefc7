/** Sends what waits, as a job: of all processes that may, one at a time, and another when that one dies. */
import type { Queue } from '../../jobs/queue.ts';
import type { World } from '../../world/world.ts';
import { destinationOf, readChannel } from '../channel.ts';
import { ASK_EVERY_MS, answerPresses } from './presses.ts';
import { sendNext } from './send-next.ts';

const QUEUE = 'send_notifications';

const HEARTBEAT_SECONDS = 10;
const POLL_SECONDS = 5;
const RETRIES = 3;
const KEEP_FINISHED_SECONDS = 600;
/** A job sleeps this long between two messages; for longer it ends, and another begins when the time has come. */
const SLEEP_MAX_MS = 10_000;
/** Well within the time that the queue gives a job. */
const RUN_MAX_MS = 300_000;
/** What nobody was woken for is looked for this often. */
const LOOK_EVERY_MS = 30_000;

/** Answers what stops waking; the queue itself is stopped by whoever opened it. */
export async function startSending({ boss, stopping }: Queue, world: World, webUrl: () => string): Promise<() => void> {
  await boss.createQueue(QUEUE, {
    policy: 'stately',
    retryLimit: RETRIES,
    retryDelay: 1,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_FINISHED_SECONDS,
  });
  const run = { isOn: false, isWanted: false };
  let cancelLater = () => {};
  const worker = await boss.work(QUEUE, { batchSize: 1, pollingIntervalSeconds: POLL_SECONDS }, async () => {
    run.isOn = true;
    try {
      const laterMs = await sendWaiting(world, webUrl, stopping, run);
      cancelLater();
      if (laterMs !== null) cancelLater = world.timers.after(laterMs, wake);
    } finally {
      run.isOn = false;
      // Somebody wanted it after it had last looked.
      if (run.isWanted) {
        run.isWanted = false;
        wakeOrLog();
      }
    }
  });

  /** While the job runs here it is told; otherwise one is queued, if there is a channel to send by. */
  async function wake(): Promise<void> {
    if (stopping.aborted || run.isWanted) return;
    run.isWanted = true;
    if (run.isOn) return;
    try {
      if (destinationOf(world, await readChannel(world.db)) !== null) {
        await boss.send(QUEUE, {}, { id: world.dice.uuid() });
        boss.notifyWorker(worker);
      }
    } finally {
      run.isWanted = false;
    }
  }
  const wakeOrLog = () =>
    void wake().catch((error: unknown) => world.log.warn({ err: error }, 'Sending notifications was not begun'));

  const stopHearing = world.notices.on('notification_changed', wakeOrLog);
  const stopLooking = world.timers.every(LOOK_EVERY_MS, wakeOrLog);
  const stopAsking = world.timers.every(ASK_EVERY_MS, () => answerPresses(world));
  wakeOrLog();
  return () => {
    stopHearing();
    stopLooking();
    stopAsking();
    cancelLater();
  };
}

/** Answers in how many milliseconds to go on, or null when nothing waits. */
async function sendWaiting(
  world: World,
  webUrl: () => string,
  stopping: AbortSignal,
  run: { isWanted: boolean },
): Promise<number | null> {
  const endAt = world.clock.now() + RUN_MAX_MS;
  while (!stopping.aborted) {
    run.isWanted = false;
    const inMs = await sendNext(world, webUrl());
    if (inMs === null && !run.isWanted) return null;
    if (inMs !== null && (inMs > SLEEP_MAX_MS || world.clock.now() > endAt)) return inMs;
    if (inMs !== null && inMs > 0) await sleep(world, inMs, stopping);
  }
  return null;
}

function sleep({ timers }: Pick<World, 'timers'>, ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(ms, end);
    function end(): void {
      cancel();
      stopping.removeEventListener('abort', end);
      resolve();
    }
    stopping.addEventListener('abort', end);
  });
}
