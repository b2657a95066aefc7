/** Exponential back-off: `firstMs`, then `factor` times as long each time, at most `slowestMs`. */
export type BackOff = { firstMs: number; slowestMs: number; factor?: number };

/** The pause after attempt `attempt`, counted from 0. */
export function backOffMs(attempt: number, { firstMs, slowestMs, factor = 2 }: BackOff): number {
  return Math.min(firstMs * factor ** attempt, slowestMs);
}
