import { readFile } from 'node:fs/promises';
import type { Book } from '@dutchbook/engine/book/book.ts';
import { readBlocks, readFileStart } from '@dutchbook/recordings/file.ts';
import { RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import { readParquet } from '@dutchbook/recordings/parquet/read.ts';
import { TickReader } from '@dutchbook/recordings/parquet/ticks.ts';
import { writeParquet } from '@dutchbook/recordings/parquet/write.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HOCKEY_ARCHIVES,
  type HockeyFinal,
  isHockeyFinalPresent,
  readHockeyFinal,
  recordedFinal,
  TapeBooks,
} from './hockey-final.fixture.ts';

if (!isHockeyFinalPresent)
  process.stdout.write('recorded market data is not there: the size of recordings is not tested\n');

const BYTES_MAX = 1_300_000;
/** The tape begins in the middle of a session: what is stated in its first minute is not counted as the end of a group. */
const WARM_UP_MS = 60_000;

const readsOf = (bytes: Buffer) => async (start: number, length: number) => bytes.subarray(start, start + length);

async function* recordsIn(bytes: Buffer): AsyncGenerator<Recorded> {
  for await (const records of blocksIn(bytes)) yield* records;
}

async function* blocksIn(bytes: Buffer): AsyncGenerator<Recorded[]> {
  const { end } = await readFileStart(readsOf(bytes));
  for await (const { records } of readBlocks(readsOf(bytes), end)) yield records;
}

async function* parquetIn(bytes: Buffer, ticks?: TickReader): AsyncGenerator<Recorded> {
  const { records } = await readParquet(readsOf(bytes), bytes.length, ticks);
  for await (const some of records) yield* some;
}

describe.runIf(isHockeyFinalPresent)('the recorded hockey final, recorded anew', () => {
  let tape: HockeyFinal | null = null;
  let recording: Awaited<ReturnType<typeof recordedFinal>> | null = null;
  beforeAll(async () => {
    tape = await readHockeyFinal();
    recording = await recordedFinal(tape);
  });
  // Hundreds of megabytes, which the next file of this process has no use for.
  afterAll(() => {
    tape = null;
    recording = null;
  });

  function made() {
    if (tape === null || recording === null) throw new Error('the final was not recorded');
    return { ...tape, ...recording };
  }

  it('takes at most 1.3 MB, and is read back to the same books at the end of every group of one timestamp', async () => {
    const { runs, bytes, recordsAfter } = made();
    expect(bytes.length).toBeLessThanOrEqual(BYTES_MAX);

    const records = recordsIn(bytes);
    const followed = new RecordedBooks();
    const truth = new TapeBooks();
    const counts = { groups: 0, equal: 0 };
    const startMs = (runs[0]?.at ?? 0) + WARM_UP_MS;
    let read = 0;
    for (const [place, run] of runs.entries()) {
      truth.apply(run);
      for (; read < (recordsAfter[place] ?? 0); read += 1) {
        const { value } = await records.next();
        if (value !== undefined) followed.apply(value);
      }
      if (run.at < startMs) continue;
      counts.groups += run.last.length;
      counts.equal += run.last.filter(({ asset_id }) => isSame(followed.book(asset_id), truth.of(asset_id))).length;
    }
    expect(counts).toEqual({ groups: 289_930, equal: 289_930 });
  });

  it('is the same record for record once it was written as Parquet and read again', async () => {
    const { bytes } = made();
    const parts: Uint8Array[] = [];
    await writeParquet('polymarket', blocksIn(bytes), async (part) => void parts.push(part));
    const records = recordsIn(bytes);
    let count = 0;
    for await (const record of parquetIn(Buffer.concat(parts))) {
      const { value } = await records.next();
      count += 1;
      if (JSON.stringify(record) !== JSON.stringify(value)) expect({ count, record }).toEqual({ count, record: value });
    }
    expect(count).toBeGreaterThan(100_000);
    expect(await records.next()).toMatchObject({ done: true });
  });

  it('leads to the same books out of the archive that others keep of it', async () => {
    const truth = new TapeBooks();
    const { runs, others } = made();
    for (const run of runs) truth.apply(run);
    const followed = new RecordedBooks();
    const ticks = new TickReader();
    for (const archive of HOCKEY_ARCHIVES) {
      for await (const record of parquetIn(await readFile(archive), ticks)) followed.apply(record);
    }
    expect(others.size).toBe(12);
    for (const tokenId of others.keys()) expect(isSame(followed.book(tokenId), truth.of(tokenId))).toBe(true);
  });
});

function isSame(one: Book | undefined, other: Book): boolean {
  return one !== undefined && isSameSide(one.bids, other.bids) && isSameSide(one.asks, other.asks);
}

function isSameSide(one: Book['bids'], other: Book['bids']): boolean {
  return (
    one.length === other.length &&
    one.every(({ price, size }, place) => other[place]?.price === price && other[place]?.size === size)
  );
}
