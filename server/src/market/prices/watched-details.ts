import type { SystemSettings } from '../../people/system-settings/watched-settings.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { Quotes } from '../markets/live-quotes.ts';
import type { BlockersOf } from '../opportunities/live-prices.ts';
import { presentOpportunity } from '../opportunities/present.ts';
import type { Tracked } from './tracked.ts';

const ASSEMBLE_MS = 200;

export type WatchedDetails = {
  /** Something of this opportunity has changed, if only the age of a book. */
  touch: (tracked: Tracked) => void;
  stop: () => void;
};

type Needed = { stream: StreamHub; quotes: Quotes; settings: SystemSettings; blockersOf: BlockersOf };

/** Sends the full view of an opportunity to those who have it open, at most five times a second. */
export function streamWatchedDetails(
  { timers, log }: Pick<Runtime, 'timers' | 'log'>,
  { stream, quotes, settings, blockersOf }: Needed,
): WatchedDetails {
  const touched = new Set<Tracked>();
  const send = async (tracked: Tracked) => {
    const { id } = tracked.row;
    const known = quotes.current(tracked.positions);
    const blockers = await blockersOf(tracked.row, known);
    const data = presentOpportunity(tracked.row, known, settings.current(), blockers);
    stream.publish({ topic: `opportunity:${id}`, type: 'opportunity_detail', id, data });
  };
  const sendTouched = async () => {
    const due = [...touched];
    touched.clear();
    for (const tracked of due) {
      await send(tracked).catch((error: unknown) =>
        log.error({ err: error }, 'details of an open opportunity not published'),
      );
    }
  };
  return {
    touch: (tracked) => {
      // Asked for every change of every book, and a watched opportunity has been opened before.
      if (tracked.openUntil !== null && stream.watched(`opportunity:${tracked.row.id}`)) touched.add(tracked);
    },
    stop: timers.every(ASSEMBLE_MS, sendTouched),
  };
}
