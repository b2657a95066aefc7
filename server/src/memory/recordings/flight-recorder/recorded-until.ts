import { blockPlaces, readFileStart } from '@dutchbook/recordings/file.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { listRecordings, type RecordingFile, withFile } from '../files.ts';
import type { RecorderState } from '../writer.ts';

/** Blocks are on disk within two seconds, where nothing waits for it. */
const WRITTEN_WITHIN_MS = 2500;

type End = { bytes: number; until: Instant | null };

/**
 * Says up to which moment it is known how books stood: while this process records, also where none has changed for long; else the
 * last record on disk. Where files end is remembered, so that only what was added is looked at.
 */
export function openRecordedUntil(folder: string, recorder: () => RecorderState | null) {
  let ends = new Map<string, End>();

  const endOf = async (file: RecordingFile): Promise<End> => {
    const known = ends.get(file.name) ?? { bytes: 0, until: null };
    if (known.bytes >= file.bytes) return known;
    return await withFile(file.path, async (read) => {
      let bytes = known.bytes > 0 ? known.bytes : (await readFileStart(read)).end;
      let { until } = known;
      for await (const place of blockPlaces(read, bytes)) {
        bytes = place.end;
        until = place.until;
      }
      return { bytes, until };
    });
  };

  /** @returns the end of time before anything was recorded */
  return async (now: Instant): Promise<Instant> => {
    const state = recorder();
    if (state !== null && state.since !== null && state.waitingBytes === 0 && state.since <= now - WRITTEN_WITHIN_MS) {
      return instantFromMs(now - WRITTEN_WITHIN_MS);
    }
    const found = new Map<string, End>();
    const files = await listRecordings(folder);
    const newest = files.at(-1)?.hour;
    for (const file of files.filter(({ hour }) => hour === newest)) {
      const end = await endOf(file).catch(() => null);
      if (end !== null) found.set(file.name, end);
    }
    ends = found;
    return instantFromMs(Math.max(0, ...[...found.values()].map(({ until }) => until ?? 0)));
  };
}
