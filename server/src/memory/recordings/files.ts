/** The files of recordings in one folder: one begins with each hour, with each start of a process and behind each gap. */
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { blockPlaces, fileStart, type ReadBytes, readFileStart } from '@dutchbook/recordings/file.ts';
import { type Instant, instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { HOUR_MS, type HoursWorth, type Limits, recordingsToRemove } from './kept/what-goes.ts';

const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2})-[0-9a-f]{8}\.dbr$/;
/** Names of files that no limit removes, one a line. */
export const PINNED = 'pinned';

/** `hour`: when that began in which the file was begun. */
export type RecordingFile = { name: string; path: string; hour: Instant; bytes: number };

/** `id`: eight hexadecimal digits, so that files of several processes and starts do not meet. */
export function recordingName(at: Instant, id: string): string {
  return `${instantToIso(at).slice(0, 13)}-${id}.dbr`;
}

/** The oldest first; none where there is no such folder. */
export async function listRecordings(folder: string): Promise<RecordingFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files: RecordingFile[] = [];
  for (const name of names.toSorted()) {
    const [, hour] = NAME.exec(name) ?? [];
    // It may have been removed since.
    const found = hour === undefined ? null : await stat(path.join(folder, name)).catch(() => null);
    if (hour === undefined || found === null) continue;
    files.push({ name, path: path.join(folder, name), hour: instantFromIso(`${hour}:00:00Z`), bytes: found.size });
  }
  return files;
}

/** Of what has to stay, whatever the limits say: the one that is being written, and what may have something of after `neededSince`. */
export type Needed = { written: string | null; neededSince: Instant | null };

/** Removes what is beyond the limits; the one that is being written, a pinned one, and one that is needed, never. */
export async function trimRecordings(
  folder: string,
  limits: Limits,
  now: Instant,
  { written, neededSince }: Needed,
  worth: HoursWorth,
): Promise<void> {
  const files = await listRecordings(folder);
  const pinned = new Set((await readFile(path.join(folder, PINNED), 'utf8').catch(() => '')).split('\n'));
  const mustStay = ({ name, hour }: RecordingFile) =>
    pinned.has(name) || name === written || (neededSince !== null && hour + HOUR_MS >= neededSince);
  for (const file of recordingsToRemove(files, limits, now, worth, mustStay)) await rm(file.path, { force: true });
}

/** A file that is being written. It is there once its first block is. */
export class GrowingFile {
  readonly #path: string;
  readonly #venue: string;
  #handle: FileHandle | null = null;
  #bytes = 0;

  constructor(filePath: string, venue: string) {
    this.#path = filePath;
    this.#venue = venue;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns how many bytes it has grown by. Throws what the disk says; nothing may be appended after that. */
  async append(block: Uint8Array): Promise<number> {
    if (this.#handle === null) {
      await mkdir(path.dirname(this.#path), { recursive: true, mode: 0o700 });
      this.#handle = await open(this.#path, 'wx', 0o600);
    }
    const bytes = this.#bytes > 0 ? block : Buffer.concat([fileStart(this.#venue), block]);
    await this.#handle.writeFile(bytes);
    this.#bytes += bytes.length;
    return bytes.length;
  }

  /** One without a whole block is removed. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
    if (handle !== null && this.#bytes === 0) await rm(this.#path, { force: true });
  }
}

/** Reads of an open file, which `work` does. */
export async function withFile<Result>(filePath: string, work: (read: ReadBytes) => Promise<Result>): Promise<Result> {
  const handle = await open(filePath, 'r');
  try {
    return await work(readsOf(handle));
  } finally {
    await handle.close();
  }
}

export function readsOf(handle: FileHandle): ReadBytes {
  return async (start, length) => {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  };
}

/** When the last whole block of the newest files ended: null where there is none. */
export async function lastRecordedAt(folder: string): Promise<Instant | null> {
  const files = await listRecordings(folder);
  let last: Instant | null = null;
  for (const file of files.toReversed()) {
    if (last !== null && file.hour !== files.at(-1)?.hour) break;
    const until = await endOf(file).catch(() => null);
    if (until !== null && (last === null || until > last)) last = until;
  }
  return last;
}

async function endOf(file: RecordingFile): Promise<Instant | null> {
  return await withFile(file.path, async (read) => {
    const { end } = await readFileStart(read);
    let until: Instant | null = null;
    for await (const place of blockPlaces(read, end)) until = place.until;
    return until;
  });
}
