/** Sends what waits, in every process with the role `jobs`: the lock of the channel decides which one sends. */
import { openFailureLog } from '../../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { sendNext } from './send-next.ts';
import { ASK_EVERY_MS, answerUpdates, type ChatCommands } from './updates.ts';

/** How often the job looks for work without being woken. */
const CHECK_EVERY_MS = 30_000;
const AFTER_ERROR_MS = 2000;

/** @returns what stops it, once a message that is under way has ended */
export function startSending(runtime: Runtime, webUrl: () => string, commands: ChatCommands): () => Promise<void> {
  const { log, pubsub, timers } = runtime;
  const failures = openFailureLog(log, 'warn', 'notification sending failed, started again');
  let isStopped = false;
  let cancelLater = () => {};

  async function sendWaiting(): Promise<void> {
    cancelLater();
    let inMs: number | null = 0;
    while (inMs === 0 && !isStopped) {
      try {
        inMs = await sendNext(runtime, webUrl());
        failures.succeeded();
      } catch (error) {
        failures.failed(error);
        inMs = AFTER_ERROR_MS;
      }
    }
    if (inMs !== null && !isStopped) cancelLater = timers.after(inMs, wake);
  }
  const send = oneAtATime(sendWaiting);
  const wake = () => void send();

  const stops = [
    pubsub.subscribe('notification_changed', wake),
    timers.every(CHECK_EVERY_MS, wake),
    timers.every(ASK_EVERY_MS, () => answerUpdates(runtime, commands)),
  ];
  wake();
  return async () => {
    isStopped = true;
    for (const stop of stops) stop();
    cancelLater();
    await send.ended();
  };
}
