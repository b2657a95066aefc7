/** Survival of displayed depth, measured periodically from our orders and from books, so that no decision waits for it. */
import { type MeasuredSurvival, measureSurvival, NOTHING_MEASURED } from '@dutchbook/engine/order/survival.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { isKeptAt, KEPT_MAX, type Met, REPORTED_AFTER_MS, readMet, readShown } from './store.ts';

const READ_EVERY_MS = 60_000;

export type FollowedSurvival = { current: () => MeasuredSurvival; stop: () => void };

/** Reads stored samples, so that every process has equal figures, also one that has just started. */
export function followSurvival({
  clock,
  db,
  timers,
  log,
}: Pick<Runtime, 'clock' | 'db' | 'timers' | 'log'>): FollowedSurvival {
  const failures = openFailureLog(log, 'warn', 'orders not read for what they met of the depth shown');
  let sent: Met[] = [];
  let shown: Met[] = [];
  let lastId = 0;
  let measured = NOTHING_MEASURED;
  let isReading = false;
  const read = async () => {
    // Two readings at once would add the same orders twice.
    if (isReading) return;
    isReading = true;
    try {
      const now = clock.now();
      const isKept = isKeptAt(now);
      const until = instantFromMs(now - REPORTED_AFTER_MS);
      const newlySent = await readMet(db, { after: sent[0]?.sentAt ?? null, until });
      const newlyShown = await readShown(db, { afterId: lastId, until: now });
      failures.succeeded();
      sent = [...newlySent, ...sent].slice(0, KEPT_MAX).filter(isKept);
      shown = [...newlyShown, ...shown].slice(0, KEPT_MAX).filter(isKept);
      lastId = newlyShown.reduce((last, { id }) => Math.max(last, id), lastId);
      measured = measureSurvival([...sent, ...shown]);
    } catch (error) {
      failures.failed(error);
    } finally {
      isReading = false;
    }
  };
  void read();
  return { current: () => measured, stop: timers.every(READ_EVERY_MS, read) };
}
