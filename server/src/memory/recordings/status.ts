import type { RecordingHole, RecordingsStatus } from '@dutchbook/contract/recordings.ts';
import { readBlocks, readFileStart } from '@dutchbook/recordings/file.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { listRecordings, type RecordingFile, withFile } from './files.ts';
import { HOUR_MS } from './kept/what-goes.ts';
import type { RecorderState } from './writer.ts';

const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const HOURS_SHOWN = 24;
const HOLES_SHOWN = 100;

/** `from`: when its first record arrived, behind a gap if it begins with one. */
type FileStart = { from: Instant; hole: RecordingHole | null };

export type StatusReader = (
  now: Instant,
  limits: { maxBytes: number; days: number },
  state: RecorderState | null,
) => Promise<Omit<RecordingsStatus, 'state'>>;

/** Says what is kept in a folder. How files begin never changes, so each is looked into once. */
export function openStatusReader(folder: string): StatusReader {
  let starts = new Map<string, FileStart>();

  const startsOf = async (files: readonly RecordingFile[]): Promise<FileStart[]> => {
    const known = new Map<string, FileStart>();
    for (const file of files) {
      const start = starts.get(file.name) ?? (await startOf(file).catch(() => null));
      if (start !== null) known.set(file.name, start);
    }
    starts = known;
    return [...known.values()];
  };

  return async (now, { maxBytes, days }, state) => {
    const files = await listRecordings(folder);
    const begun = await startsOf(files);
    const holes = begun.flatMap(({ hole }) => hole ?? []);
    if (state?.interrupted)
      holes.push({ from: state.interrupted.since, until: null, reason: state.interrupted.reason });
    return {
      tokens: state?.tokens ?? 0,
      since: state?.since ?? null,
      oldest: begun.map(({ from }) => from).toSorted((a, b) => a - b)[0] ?? null,
      files: files.length,
      bytes: bytesOf(files),
      bytes_per_hour: bytesPerHour(files, starts, now),
      hours: hoursOf(files),
      holes: holes.toReversed().slice(0, HOLES_SHOWN),
      hole_count: holes.length,
      max_bytes: maxBytes,
      days,
    };
  };
}

async function startOf(file: RecordingFile): Promise<FileStart | null> {
  return await withFile(file.path, async (read) => {
    const { end } = await readFileStart(read);
    for await (const { records } of readBlocks(read, end)) {
      const [first] = records;
      if (first?.kind !== 'gap') return first === undefined ? null : { from: first.at, hole: null };
      return { from: first.until, hole: { from: first.at, until: first.until, reason: first.reason } };
    }
    return null;
  });
}

function bytesOf(files: readonly RecordingFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function bytesPerHour(
  files: readonly RecordingFile[],
  starts: ReadonlyMap<string, FileStart>,
  now: Instant,
): number | null {
  const recent = files.filter(({ hour }) => hour >= now - DAY_MS);
  const from = Math.min(...recent.map(({ name }) => starts.get(name)?.from ?? now));
  if (!(now - from >= MINUTE_MS)) return null;
  return Math.round((bytesOf(recent) / (now - from)) * HOUR_MS);
}

function hoursOf(files: readonly RecordingFile[]): RecordingsStatus['hours'] {
  const hours = new Map<Instant, number>();
  for (const { hour, bytes } of files) hours.set(hour, (hours.get(hour) ?? 0) + bytes);
  return [...hours]
    .map(([hour, bytes]) => ({ hour, bytes }))
    .slice(-HOURS_SHOWN)
    .toReversed();
}
