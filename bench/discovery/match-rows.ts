/** When the row of each planted window came: decided from what the exchange and the live stream say. */
import type { PlantedEvent } from './match-windows.ts';

/** A row of the list of opportunities as a reader of the stream was told of it. */
export type ToldRow = { eventId: string; opportunityId: string; active: boolean; atMs: number };

/** `tookMs`: from the beginning of each window to the first active row of its event. `missing`: when those without one began. */
export type RowTimes = { tookMs: number[]; missing: { event: PlantedEvent; fromMs: number }[] };

/**
 * Of the windows that begin and end in the span. Left out is one that began while an opportunity of its event was in the
 * list: no row had to come.
 */
export function rowTimes(
  planted: readonly PlantedEvent[],
  rows: readonly ToldRow[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): RowTimes {
  const times: RowTimes = { tookMs: [], missing: [] };
  for (const event of planted.filter(({ is_decoy: isDecoy }) => !isDecoy)) {
    const own = rows.filter(({ eventId }) => event.event_ids.includes(eventId));
    for (const [place, { from_ms: beganMs, until_ms: endedMs }] of event.windows.entries()) {
      if (beganMs < fromMs || endedMs === null || endedMs > toMs || isOpenAt(own, beganMs)) continue;
      const nextMs = event.windows[place + 1]?.from_ms ?? Number.POSITIVE_INFINITY;
      const came = own.find(({ active, atMs }) => active && atMs >= beganMs && atMs < nextMs);
      if (came === undefined) times.missing.push({ event, fromMs: beganMs });
      else times.tookMs.push(came.atMs - beganMs);
    }
  }
  return times;
}

function isOpenAt(rows: readonly ToldRow[], atMs: number): boolean {
  const last = new Map(rows.filter((row) => row.atMs < atMs).map((row) => [row.opportunityId, row.active]));
  return [...last.values()].some((active) => active);
}
