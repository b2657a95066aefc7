import { durationWords } from './execution-time.ts';

const MINUTE_MS = 60_000;

/** How long after the decision shares came, in the unit of the execution time: "0.417s", "3m 5s". */
export function fillWords(ms: number): string {
  return Math.abs(ms) < MINUTE_MS ? `${(ms / 1_000).toFixed(3)}s` : durationWords(ms);
}

/** How long something took, as fine as it is short: "38 ms", "1.204 s", "3m 5s". Clocks that disagree may make it negative. */
export function delayWords(ms: number): string {
  const sign = ms < 0 ? '−' : '';
  const length = Math.abs(Math.round(ms));
  if (length < 1_000) return `${sign}${length} ms`;
  if (length < MINUTE_MS) return `${sign}${(length / 1_000).toFixed(3)} s`;
  return `${sign}${durationWords(length)}`;
}
