/** Which planted windows were taken, judged only by what the exchange and the API say. */

/** As `GET /_control/planted` tells it; amounts as decimal text, times in milliseconds of exchange time. */
export type PlantedEvent = {
  event_ids: readonly string[];
  is_decoy: boolean;
  windows: readonly { from_ms: number; until_ms: number | null; edge_usd: string; size: string }[];
};

/** A batch of the product, and the event that its opportunity was found in; null where nothing was found by discovery. */
export type BoughtBatch = {
  eventId: string | null;
  createdAtMs: number;
  startedAtMs: number | null;
  profitUsd: number;
};

/**
 * Windows count that begin and end within the span. `latencyMs`: how long the product itself takes from the beginning of a window until
 * its orders leave.
 */
export type Rules = { fromMs: number; toMs: number; latencyMs: number };

/** `clairvoyantUsd`: the profit of a trader who knows the window in advance, with equal fees and latency. */
export type JudgedWindow = {
  fromMs: number;
  clairvoyantUsd: number;
  takenUsd: number;
  batches: readonly BoughtBatch[];
};

/**
 * Every window of the span once, with the batches that were bought in it. Each batch belongs to the last window of its event that
 * began before it.
 */
export function judgeWindows(
  planted: readonly PlantedEvent[],
  batches: readonly BoughtBatch[],
  { fromMs, toMs, latencyMs }: Rules,
): JudgedWindow[] {
  return planted
    .filter(({ is_decoy: isDecoy }) => !isDecoy)
    .flatMap(({ event_ids: ids, windows }) =>
      windows.flatMap(({ from_ms: beganMs, until_ms: endedMs, edge_usd: edge, size }, place) => {
        if (beganMs < fromMs || endedMs === null || endedMs > toMs) return [];
        const nextMs = windows[place + 1]?.from_ms ?? Number.POSITIVE_INFINITY;
        const own = batches.filter(
          ({ eventId, createdAtMs }) => ids.includes(eventId ?? '') && createdAtMs >= beganMs && createdAtMs < nextMs,
        );
        const clairvoyantUsd = endedMs - beganMs >= latencyMs ? Number(edge) * Number(size) : 0;
        const profitUsd = own.reduce((sum, batch) => sum + batch.profitUsd, 0);
        return [{ fromMs: beganMs, clairvoyantUsd, takenUsd: Math.min(clairvoyantUsd, profitUsd), batches: own }];
      }),
    );
}
