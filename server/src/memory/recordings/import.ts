/** Puts recordings that came from elsewhere beside those of the recorder. */
import { appendFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes } from '@dutchbook/recordings/file.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { GrowingFile, listRecordings, PINNED, recordingName } from './files.ts';
import { recordsOf } from './find-records.ts';
import { ImportedBooks, ImportRefused } from './import-records.ts';
import { HOUR_MS } from './kept/what-goes.ts';

const HOURS_MAX = 31 * 24;
const BLOCK_RECORDS = 2000;
const BLOCK_BYTES = 1_000_000;
const UNFINISHED = '.part';

/** `now`: what is later has not been recorded. `newId`: eight hexadecimal digits. */
export type ImportPlace = { folder: string; venue: string; now: Instant; newId: () => string };
export type Imported = { files: string[]; records: number; tokens: number };

/** What is written so far of an hour. */
type Hour = { name: string; file: GrowingFile; block: BlockEncoder; tokens: Set<string> };

/**
 * Files of each hour of their own, which are pinned, since they are older than what is kept; all of them or none.
 * @throws ImportRefused where that hour of one of the tokens is recorded already, and UnreadableRecording
 */
export async function importRecords(blocks: AsyncIterable<readonly Recorded[]>, place: ImportPlace): Promise<Imported> {
  const hours = new Map<Instant, Hour>();
  const partOf = ({ name }: Hour) => path.join(place.folder, `${name}${UNFINISHED}`);
  try {
    const records = await write(blocks, place, hours);
    if (records === 0) throw new ImportRefused('There is no book in it.');
    for (const [hour, { tokens }] of hours) await refuseRecorded(place.folder, hour, tokens);
    const files = [...hours.values()];
    await appendFile(path.join(place.folder, PINNED), files.map(({ name }) => `${name}\n`).join(''), { mode: 0o600 });
    for (const each of files) await rename(partOf(each), path.join(place.folder, each.name));
    const tokens = new Set(files.flatMap((each) => [...each.tokens]));
    return { files: files.map(({ name }) => name), records, tokens: tokens.size };
  } catch (error) {
    for (const each of hours.values()) {
      await each.file.close();
      await rm(partOf(each), { force: true });
    }
    throw error;
  }
}

async function write(
  blocks: AsyncIterable<readonly Recorded[]>,
  { folder, venue, now, newId }: ImportPlace,
  hours: Map<Instant, Hour>,
): Promise<number> {
  const books = new ImportedBooks();
  let count = 0;
  const hourOf = (at: Instant): Hour => {
    const begun = instantFromMs(at - (at % HOUR_MS));
    const known = hours.get(begun);
    if (known !== undefined) return known;
    if (at < 0 || at > now) throw new ImportRefused(`It has something of ${instantToIso(at)}.`);
    if (hours.size >= HOURS_MAX) throw new ImportRefused('It is longer than 31 days.');
    const name = recordingName(at, newId());
    const file = new GrowingFile(path.join(folder, `${name}${UNFINISHED}`), venue);
    const hour = { name, file, block: new BlockEncoder(), tokens: new Set<string>() };
    hours.set(begun, hour);
    return hour;
  };
  const flush = async (hour: Hour) => {
    if (hour.block.count > 0) await hour.file.append(await blockBytes(hour.block));
    hour.block = new BlockEncoder();
  };
  const add = async (records: Iterable<Recorded>) => {
    for (const record of records) {
      const hour = hourOf(record.at);
      if (record.kind !== 'gap') hour.tokens.add(record.tokenId);
      hour.block.add(record);
      count += 1;
      if (hour.block.count >= BLOCK_RECORDS || hour.block.byteLength >= BLOCK_BYTES) await flush(hour);
    }
  };
  for await (const records of blocks) for (const record of records) await add(books.follow(record));
  await add(books.end());
  for (const hour of hours.values()) {
    await flush(hour);
    await hour.file.close();
  }
  return count;
}

async function refuseRecorded(folder: string, hour: Instant, tokens: ReadonlySet<string>): Promise<void> {
  const end = instantFromMs(hour + HOUR_MS - 1);
  const files = (await listRecordings(folder)).filter((file) => file.hour <= end && file.hour + HOUR_MS >= hour);
  for (const file of files) {
    for await (const record of recordsOf(file, hour, end)) {
      if (record.kind === 'gap' || record.at < hour || record.at > end || !tokens.has(record.tokenId)) continue;
      throw new ImportRefused(
        `The hour from ${instantToIso(hour)} of ${record.tokenId} is recorded already, in ${file.name}.`,
      );
    }
  }
}
