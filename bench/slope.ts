/** A figure that was looked at again and again, to see whether it grows. */
export type Sample = { atMs: number; value: number };

const TEN_MINUTES_MS = 600_000;

/** How much the straight line nearest to the samples (least squares) rises in ten minutes, in percent of where it begins. */
export function percentIn10Minutes(samples: readonly Sample[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanMs = meanOf(samples.map(({ atMs }) => atMs));
  const mean = meanOf(samples.map(({ value }) => value));
  const rises = samples.reduce((sum, { atMs, value }) => sum + (atMs - meanMs) * (value - mean), 0);
  const spread = samples.reduce((sum, { atMs }) => sum + (atMs - meanMs) ** 2, 0);
  const perMs = rises / spread;
  const first = mean + perMs * ((samples[0]?.atMs ?? 0) - meanMs);
  return ((perMs * TEN_MINUTES_MS) / first) * 100;
}
