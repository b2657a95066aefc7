import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readParquet } from '@dutchbook/recordings/parquet/read.ts';
import type { Recorded, RecordedLevel } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { exportRecords } from './export.ts';
import { trimRecordings } from './files.ts';
import { type FoundRecord, findRecords } from './find-records.ts';
import { importRecords } from './import.ts';
import { NOTHING_WORTH } from './kept/what-goes.ts';
import { recordingFolder } from './recorder.fixture.ts';

const START = instantFromIso('2026-06-07T01:30:00Z');
const NOW = instantFromIso('2026-11-26T12:00:00Z');
const MINUTE = 60_000;
const at = (ms: number): Instant => instantFromMs(START + ms);
const level = (price: string, size: string): RecordedLevel => ({
  price: priceFromText(price),
  size: sharesFromText(size),
});
const book = (ms: number, tokenId: string, ...bids: RecordedLevel[]): Recorded => ({
  ...{ kind: 'book', tokenId, at: at(ms), venueAt: null, bids, asks: [] },
});
const trust = (ms: number, tokenId: string, is: 'live' | 'none' = 'live'): Recorded => ({
  ...{ kind: 'trust', tokenId, at: at(ms), venueAt: null, trust: is },
});
const bid = (ms: number, tokenId: string, price: string, size: string): Recorded => ({
  ...{ kind: 'changes', tokenId, at: at(ms), venueAt: null },
  changes: [{ side: 'buy', ...level(price, size) }],
});

async function imported(folder: string, records: readonly Recorded[]) {
  let id = 0;
  const newId = () => {
    id += 1;
    return id.toString(16).padStart(8, '0');
  };
  async function* blocks() {
    yield records;
  }
  return await importRecords(blocks(), { folder, venue: 'simulated', now: NOW, newId });
}

async function found(folder: string, fromMs: number, untilMs: number, ...tokens: string[]): Promise<FoundRecord[]> {
  const wanted = {
    folder,
    tokenIds: tokens.length === 0 ? null : new Set(tokens),
    from: at(fromMs),
    until: at(untilMs),
  };
  const all: FoundRecord[] = [];
  for await (const record of findRecords(wanted)) all.push(record);
  return all;
}

it('is closed once its reader has read enough of it', async () => {
  using disk = recordingFolder();
  await imported(disk.folder, [book(0, 'a'), trust(0, 'a'), book(MINUTE, 'b'), trust(MINUTE, 'b')]);
  const openFiles = async () => (await readdir('/dev/fd')).length;
  const before = await openFiles();
  for (let times = 0; times < 5; times += 1)
    for await (const _first of findRecords({ folder: disk.folder, tokenIds: null, from: at(0), until: NOW })) break;
  expect(await openFiles()).toBe(before);
});

describe('an import', () => {
  it('is found like what was recorded here, and ends with nothing known', async () => {
    using disk = recordingFolder();
    const records = [book(0, '1', level('0.4', '5')), trust(0, '1'), bid(1000, '1', '0.45', '7')];
    expect(await imported(disk.folder, records)).toEqual({
      files: ['2026-06-07T01-00000001.dbr'],
      records: 4,
      tokens: 1,
    });
    expect(await found(disk.folder, 500, 5000, '1')).toEqual([
      book(500, '1', level('0.4', '5')),
      trust(500, '1'),
      bid(1000, '1', '0.45', '7'),
      trust(1000, '1', 'none'),
    ]);
  });

  it('is found by a reader that begins within a quiet time, and not beyond a silence', async () => {
    using disk = recordingFolder();
    const quiet = [book(0, '1', level('0.4', '5')), trust(0, '1'), book(0, '2'), trust(0, '2')];
    const busy = Array.from({ length: 40 }, (_, minute) => bid(minute * MINUTE, '2', '0.3', `${minute + 1}`));
    await imported(disk.folder, [...quiet, ...busy, bid(80 * MINUTE, '2', '0.3', '1')]);
    expect(await found(disk.folder, 30 * MINUTE + 500, 30 * MINUTE + 600, '1')).toEqual([
      book(30 * MINUTE + 500, '1', level('0.4', '5')),
      trust(30 * MINUTE + 500, '1'),
    ]);
    // From there on nothing was recorded: a change alone makes no book.
    expect(await found(disk.folder, 79 * MINUTE, 81 * MINUTE)).toEqual([]);
    expect((await readdir(disk.folder)).toSorted()).toEqual([
      ...['2026-06-07T01-00000001.dbr', '2026-06-07T02-00000002.dbr', 'pinned'],
    ]);
  });

  it('makes of a gap that nothing is known of its own tokens', async () => {
    using disk = recordingFolder();
    const gap: Recorded = { kind: 'gap', at: at(2000), venueAt: null, until: at(3000), reason: 'not running' };
    await imported(disk.folder, [book(0, '1', level('0.4', '5')), trust(0, '1'), gap, bid(4000, '1', '0.4', '6')]);
    expect((await found(disk.folder, 0, 9000)).slice(2)).toEqual([trust(2000, '1', 'none')]);
  });

  it('is refused where that hour of a token is recorded already, and leaves nothing behind', async () => {
    using disk = recordingFolder();
    await imported(disk.folder, [book(0, '1', level('0.4', '5'))]);
    const before = (await readdir(disk.folder)).toSorted();
    const again = [book(-2 * 60 * MINUTE, '1', level('0.4', '5')), book(10 * MINUTE, '1', level('0.5', '5'))];
    await expect(imported(disk.folder, again)).rejects.toThrow(
      'The hour from 2026-06-07T01:00:00.000Z of 1 is recorded already, in 2026-06-07T01-00000001.dbr.',
    );
    expect((await readdir(disk.folder)).toSorted()).toEqual(before);
    await expect(imported(disk.folder, [book(1000, '1'), book(0, '1')])).rejects.toThrow('not in the order');
    await expect(imported(disk.folder, [book(NOW, '1')])).rejects.toThrow('It has something of 20');
    await expect(imported(disk.folder, [])).rejects.toThrow('There is no book in it.');
    expect((await readdir(disk.folder)).toSorted()).toEqual(before);
  });

  it('stays, however old it is', async () => {
    using disk = recordingFolder();
    await mkdir(disk.folder, { recursive: true });
    await writeFile(path.join(disk.folder, 'pinned'), 'another.dbr\n');
    const { files } = await imported(disk.folder, [book(0, '1', level('0.4', '5'))]);
    await trimRecordings(
      disk.folder,
      { maxBytes: 1, days: 1 },
      NOW,
      { written: null, neededSince: null },
      NOTHING_WORTH,
    );
    expect(await readdir(disk.folder)).toContain(files[0]);
    expect(await readFile(path.join(disk.folder, 'pinned'), 'utf8')).toBe(`another.dbr\n${files[0]}\n`);
  });
});

describe('an export', () => {
  it('has all tokens as they were when it begins, and imported elsewhere leads to the same', async () => {
    using disk = recordingFolder();
    using elsewhere = recordingFolder();
    await imported(disk.folder, [
      ...[book(0, '1', level('0.4', '5')), trust(0, '1')],
      ...[{ kind: 'mirror', tokenId: '2', at: at(0), venueAt: null, of: '1' } as const, trust(0, '2')],
      bid(1000, '1', '0.45', '7'),
    ]);
    const parts: Uint8Array[] = [];
    const wanted = { folder: disk.folder, tokenIds: null, from: at(500), until: at(9000) };
    expect(await exportRecords(wanted, 'simulated', async (bytes) => void parts.push(bytes))).toBe(8);
    const file = Buffer.concat(parts);
    const read = async (start: number, length: number) => file.subarray(start, start + length);
    const { venue, records } = await readParquet(read, file.length);
    expect(venue).toBe('simulated');
    const all: Recorded[] = [];
    for await (const some of records) all.push(...some);
    expect(all).toEqual(await found(disk.folder, 500, 9000));
    await imported(elsewhere.folder, all);
    for (const tokenId of ['1', '2'])
      expect(await found(elsewhere.folder, 1000, 1000, tokenId)).toEqual(await found(disk.folder, 1000, 1000, tokenId));
  });
});
