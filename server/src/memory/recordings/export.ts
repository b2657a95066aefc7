/** What was recorded, as files for other programs. */
import { open, rename, rm } from 'node:fs/promises';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { type TakeBytes, writeParquet } from '@dutchbook/recordings/parquet/write.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { findRecords, type Wanted } from './find-records.ts';

const AT_ONCE = 1000;
const UNFINISHED = '.part';

/**
 * As Parquet: begins with the books as they were at `from`, and each token stands by itself, also where it mirrors another.
 * @returns how many records it has
 */
export async function exportRecords(wanted: Wanted, venue: string, take: TakeBytes): Promise<number> {
  let count = 0;
  async function* inPieces(): AsyncGenerator<Recorded[]> {
    let records: Recorded[] = [];
    for await (const record of findRecords(wanted)) {
      count += 1;
      records.push(record);
      if (records.length < AT_ONCE) continue;
      yield records;
      records = [];
    }
    yield records;
  }
  await writeParquet(venue, inPieces(), take);
  return count;
}

/** Writes records into a file of the other format. */
export async function convertRecords(
  blocks: AsyncIterable<readonly Recorded[]>,
  venue: string,
  { isParquet, take }: { isParquet: boolean; take: TakeBytes },
): Promise<void> {
  if (isParquet) {
    await writeParquet(venue, blocks, take);
    return;
  }
  await take(fileStart(venue));
  for await (const records of blocks) {
    for (let start = 0; start < records.length; start += AT_ONCE) {
      const block = new BlockEncoder();
      for (const record of records.slice(start, start + AT_ONCE)) block.add(record);
      await take(await blockBytes(block));
    }
  }
}

/** Under its name once it is whole. @throws where there is a file of that name, and what `write` throws */
export async function writeWhole<Result>(file: string, write: (take: TakeBytes) => Promise<Result>): Promise<Result> {
  await refuseThere(file);
  const part = `${file}${UNFINISHED}`;
  const handle = await open(part, 'w', 0o600);
  try {
    const result = await write((bytes) => handle.writeFile(bytes));
    await handle.close();
    await rename(part, file);
    return result;
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw error;
  }
}

async function refuseThere(file: string): Promise<void> {
  const handle = await open(file, 'r').catch(() => null);
  await handle?.close();
  if (handle !== null) throw new Error(`${file} is there already.`);
}
