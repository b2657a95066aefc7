/** The records of all files in the order in which they arrived, as many at once as no other file comes between. */
import { open } from 'node:fs/promises';
import { type Damage, type ReadBytes, readBlocks, readFileStart } from '@dutchbook/recordings/file.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { listRecordings, type RecordingFile, readsOf } from './files.ts';
import { HOUR_MS } from './kept/what-goes.ts';
import { QUIET_ANCHOR_MS } from './noted-books.ts';

/**
 * Every book that is followed is recorded whole within this time, also while a process has many of them to record: a reader that wants the
 * books of a moment begins as long before it.
 */
export const LEAD_MS = QUIET_ANCHOR_MS + 60_000;

/**
 * Those until `until`, of blocks that reach to `from` or beyond; block by block, so that neither memory nor time is needed beyond
 * what is read. Of several files that go on at the same time, as of several processes, whatever arrived first.
 */
export async function* mergedRecords(folder: string, from: Instant, until: Instant): AsyncGenerator<Recorded[]> {
  const files = (await listRecordings(folder)).filter(({ hour }) => hour <= until && hour + 2 * HOUR_MS >= from);
  const heads: Head[] = [];
  let shown: Head | undefined;
  const take = async (source: Head['source']) => {
    const { value: records, done } = await source.next();
    const [first] = records ?? [];
    if (done === true || first === undefined) return;
    insert(heads, { source, records, at: first.at });
  };
  try {
    for (const file of files) await take(blocksOf(file, from, until));
    for (shown = heads.shift(); shown !== undefined; shown = heads.shift()) {
      const { source, records } = shown;
      const next = Math.min(heads[0]?.at ?? Number.POSITIVE_INFINITY, until);
      const end = endOfThose(records, next);
      yield end === records.length ? records : records.slice(0, end);
      const left = records[end];
      if (left === undefined) await take(source);
      else if (left.at <= until) insert(heads, { source, records: records.slice(end), at: left.at });
      else await source.return(undefined);
    }
  } finally {
    // A reader may stop in the middle of one.
    for (const { source } of shown === undefined ? heads : [shown, ...heads]) await source.return(undefined);
  }
}

/** What of a file comes next; `at`: its first record. */
type Head = { source: AsyncGenerator<Recorded[]>; records: Recorded[]; at: Instant };

function insert(heads: Head[], head: Head): void {
  const place = heads.findIndex(({ at }) => at > head.at);
  heads.splice(place < 0 ? heads.length : place, 0, head);
}

/** How many of the first records arrived at `at` or before. */
function endOfThose(records: readonly Recorded[], at: number): number {
  if ((records.at(-1)?.at ?? 0) <= at) return records.length;
  return records.findIndex((record) => record.at > at);
}

/** No block is empty. One that cannot be read is a gap as long as its records, and reported to `onDamage`. */
export async function* blocksOf(
  file: Pick<RecordingFile, 'path'>,
  from: Instant,
  until: Instant,
  onDamage: (damage: Damage) => void = () => {},
): AsyncGenerator<Recorded[]> {
  // It may have been removed since it was listed.
  const handle = await open(file.path, 'r').catch(() => null);
  if (handle === null) return;
  try {
    const read = readAhead(readsOf(handle));
    const { end } = await readFileStart(read);
    const damaged: Damage[] = [];
    const note = (damage: Damage) => {
      damaged.push(damage);
      onDamage(damage);
    };
    const isWanted = (span: { from: Instant; until: Instant }) => span.until >= from && span.from <= until;
    for await (const { records } of readBlocks(read, end, isWanted, note)) {
      const gaps = damaged.splice(0).flatMap((damage): Recorded[] => {
        const [first, last] = [damage.from ?? records[0]?.at, damage.until ?? records[0]?.at];
        if (first === undefined || last === undefined) return [];
        return [{ kind: 'gap', at: first, venueAt: null, until: last, reason: 'damaged' }];
      });
      yield gaps.length === 0 ? records : [...gaps, ...records];
    }
  } finally {
    await handle.close();
  }
}

const AHEAD_BYTES = 1_000_000;

/** Blocks are small, and read piece by piece: of what lies in a row, much at once. */
function readAhead(read: ReadBytes): ReadBytes {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);
  return async (from, length) => {
    if (from < start || from + length > start + bytes.length) {
      start = from;
      bytes = await read(from, Math.max(length, AHEAD_BYTES));
    }
    return bytes.subarray(from - start, from - start + length);
  };
}
