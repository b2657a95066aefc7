/** The points of price histories that are due, or will be once the last ones are old enough. */

import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Clock, Db } from '../../platform/runtime/runtime.ts';
import { isPointDue, isPointWaiting, pace } from '../opportunities/history/pacing.ts';
import { writePoints } from './price-writer.ts';
import type { Tracked } from './tracked.ts';

/** Offered at a time after a start, when the history has most of them. */
const FIRST_POINTS_MAX = 100;

export type PendingPoints = {
  /** Its row was judged again, or written. */
  note: (tracked: Tracked) => void;
  forget: (tracked: Tracked) => void;
  /** Whose price has changed since the last point, which is old enough by now: to be judged again for the next one. */
  dueForPoints: () => Tracked[];
  /** Writes those that are due of rows that are not written themselves. */
  flush: () => Promise<void>;
};

export function openPendingPoints({ clock, db }: { clock: Clock; db: Db }, partitions: Partitions): PendingPoints {
  const due = new Set<Tracked>();
  const waiting = new Set<Tracked>();

  const note = (tracked: Tracked) => {
    const { history, row } = tracked;
    if (due.has(tracked)) return;
    if (isPointDue(history, row)) due.add(tracked);
    else if (!waiting.has(tracked) && isPointWaiting(history, row)) waiting.add(tracked);
  };
  const forget = (tracked: Tracked) => {
    due.delete(tracked);
    waiting.delete(tracked);
  };
  const take = (): Tracked[] => {
    const taken: Tracked[] = [];
    let first = 0;
    for (const tracked of due) {
      const { row, history, isTriggering } = tracked;
      if (isTriggering) continue;
      const isFirst = history.values === null;
      if (isFirst && first >= FIRST_POINTS_MAX) continue;
      due.delete(tracked);
      if (!partitions.owns(row.id) || !isPointDue(history, row)) continue;
      if (isFirst) first += 1;
      taken.push(tracked);
    }
    return taken;
  };
  return {
    note,
    forget,
    dueForPoints: () => {
      const now = clock.now();
      const ripe = [...waiting].filter(({ history: { nextAt } }) => nextAt === null || nextAt <= now);
      for (const tracked of ripe) waiting.delete(tracked);
      return ripe;
    },
    flush: async () => {
      const taken = take();
      const writes = taken.map(({ row }) => ({
        row,
        falls: false,
        isPointDue: true,
        claim: partitions.claimOf(row.id),
      }));
      const added = await writePoints(db, writes).catch((error: unknown) => {
        for (const tracked of taken) due.add(tracked);
        throw error;
      });
      for (const [index, tracked] of taken.entries()) {
        const row = writes[index]?.row ?? tracked.row;
        pace(tracked.history, row, added.has(row.id));
        note(tracked);
      }
    },
  };
}
