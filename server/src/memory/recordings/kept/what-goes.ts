/** Which recordings go when there are more than their limits allow. No I/O. */
import type { Instant } from '@dutchbook/units/instant.ts';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * When something happened that makes recordings worth keeping: hours by when they began. Traded: a batch began or ended, or a trade was
 * made. Watched: something paid that a user follows.
 */
export type HoursWorth = { traded: ReadonlySet<number>; watched: ReadonlySet<number> };

export const NOTHING_WORTH: HoursWorth = { traded: new Set(), watched: new Set() };

/** `hour`: when that began in which the file was begun, and with which it ends. */
type File = { hour: Instant; bytes: number };

export type Limits = { maxBytes: number; days: number };

/** So much of the limit by bytes is for the newest, whatever is in them: they are asked about most, and what they are worth is not known yet. */
const NEWEST_PART = 4;

/**
 * Those older than the limit by days, and as many as it takes to be within the one by bytes: first those of hours in which nothing was
 * traded or watched, then those watched, then those traded, and at last the newest; of each the oldest first. One that `mustStay`
 * counts, and stays.
 *
 * @param files the oldest first
 */
export function recordingsToRemove<Any extends File>(
  files: readonly Any[],
  { maxBytes, days }: Limits,
  now: Instant,
  { traded, watched }: HoursWorth,
  mustStay: (file: Any) => boolean,
): Any[] {
  const isTooOld = ({ hour }: Any) => hour + HOUR_MS < now - days * DAY_MS;
  const newest = newestOf(files, maxBytes / NEWEST_PART);
  const rankOf = (file: Any) => {
    if (isTooOld(file)) return 0;
    if (newest.has(file)) return 4;
    if (traded.has(file.hour)) return 3;
    return watched.has(file.hour) ? 2 : 1;
  };
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const gone: Any[] = [];
  // What is of one rank stays in its order.
  for (const { file, rank } of files.map((each) => ({ file: each, rank: rankOf(each) })).toSorted(byRank)) {
    if (mustStay(file) || (rank > 0 && bytes <= maxBytes)) continue;
    gone.push(file);
    bytes -= file.bytes;
  }
  return gone;
}

function byRank(one: { rank: number }, other: { rank: number }): number {
  return one.rank - other.rank;
}

function newestOf<Any extends File>(files: readonly Any[], maxBytes: number): ReadonlySet<Any> {
  const newest = new Set<Any>();
  let bytes = 0;
  for (const file of files.toReversed()) {
    bytes += file.bytes;
    if (bytes > maxBytes) break;
    newest.add(file);
  }
  return newest;
}

/** The hours that a reader of the books of these spans needs. */
export function hoursOf(spans: readonly { from: number; until: number }[]): Set<number> {
  const hours = new Set<number>();
  for (const { from, until } of spans)
    for (let hour = from - (from % HOUR_MS); hour <= until; hour += HOUR_MS) hours.add(hour);
  return hours;
}
