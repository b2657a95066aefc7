import { DEFAULT_SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { answeredWithin, isDatabaseDown } from '../platform/database/database-down.ts';
import type { ReadFeed } from '../platform/engines/engines.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import type { StreamHub } from '../platform/stream/stream-hub.ts';
import {
  type Armed,
  NOTHING_WAITS,
  readStatusCounts,
  type StatusCounts,
  systemStatus,
  triggerOf,
} from '../trading/trading-controls/system-status.ts';
import type { TradingControls } from '../trading/trading-controls/trading-controls.ts';

const CHECK_EVERY_MS = 1000;
const DATABASE_ANSWERS_WITHIN_MS = 2000;

/** Tells every tab when what the top bar shows has changed, of arming at once, and while the database is away. Returns what stops it. */
export function publishSystemStatus(
  runtime: Runtime,
  all: readonly (TradingControls & Armed)[],
  stream: StreamHub,
  feed: ReadFeed,
): () => void {
  const { timers } = runtime;
  let reported = '';
  let counts: StatusCounts = {
    ...{ unknownOrders: 0, openSignOffs: 0, automatic: 'off', waiting: NOTHING_WAITS },
    trigger: triggerOf(DEFAULT_SETTINGS),
  };
  let silentChecks = 0;
  const readCounts = async () => {
    try {
      counts = await answeredWithin(timers, DATABASE_ANSWERS_WITHIN_MS, readStatusCounts(runtime));
      silentChecks = 0;
      return {};
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
      silentChecks += 1;
      // One late answer is load.
      return silentChecks > 1 ? { database_away: true } : {};
    }
  };
  const publish = async () => {
    if (!stream.watched('system')) return;
    const found = await readCounts();
    const data = { ...systemStatus(runtime, all, feed, counts), ...found };
    const status = JSON.stringify(data);
    if (status === reported) return;
    reported = status;
    stream.publish({ topic: 'system', type: 'system', id: 'system', data });
  };
  const publishAtOnce = () =>
    void publish().catch((error: unknown) => runtime.log.warn({ err: error }, 'system status not published'));
  const stops = [...all.map(({ onChange }) => onChange(publishAtOnce)), timers.every(CHECK_EVERY_MS, publish)];
  return () => {
    for (const stop of stops) stop();
  };
}
