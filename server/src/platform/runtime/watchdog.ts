import type { Logger } from 'pino';

const CHECK_EVERY_MS = 500;
/** Shorter than a lease and than what makes a book stale, so that the log has the cause of either. */
const HELD_UP_MS = 1000;

/**
 * Logs when the process has stood still: its event loop was blocked, the machine gave it no time, or it was stopped.
 * @returns what ends the watch
 */
export function watchForHoldUps(log: Logger): () => void {
  let checkedAtMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const heldUpMs = Math.round(nowMs - checkedAtMs - CHECK_EVERY_MS);
    checkedAtMs = nowMs;
    if (heldUpMs >= HELD_UP_MS) log.warn({ heldUpMs }, 'event loop blocked');
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
