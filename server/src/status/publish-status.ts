import type { ReadFeed } from '../platform/engines/engines.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import type { StreamHub } from '../platform/stream/stream-hub.ts';
import { type Armed, systemStatus } from '../trading/trading-controls/system-status.ts';
import type { TradingControls } from '../trading/trading-controls/trading-controls.ts';
import type { KnownCounts } from './known-counts.ts';

const CHECK_EVERY_MS = 1000;

/** Tells every tab when what the top bar shows has changed, of arming at once, and while the database is away. Returns what stops it. */
export function publishSystemStatus(
  runtime: Runtime,
  all: readonly (TradingControls & Armed)[],
  stream: StreamHub,
  { feed, known }: { feed: ReadFeed; known: KnownCounts },
): () => void {
  const { timers } = runtime;
  let reported = '';
  const publish = async () => {
    if (!stream.watched('system')) return;
    const { counts, away } = await known.read();
    const data = { ...systemStatus(runtime, all, feed, counts), ...away };
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
