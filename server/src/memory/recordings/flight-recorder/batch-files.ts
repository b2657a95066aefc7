/** The files of batches: each has the books of one batch's legs around the time in which it was carried out. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { findRecords, type Wanted } from '../find-records.ts';

const BLOCK_RECORDS = 2000;
const ENDING = '.dbr';
const UNFINISHED = '.part';

const folderOf = (folder: string) => path.join(folder, 'batches');

export function batchFile(folder: string, batchId: string): string {
  return path.join(folderOf(folder), `${batchId}${ENDING}`);
}

/**
 * Written under another name first: a file of this name is whole, whatever ends the process meanwhile.
 * @returns how many bytes it has; null where nothing was recorded, and there is no file
 */
export async function writeBatchFile(wanted: Wanted, venue: string, batchId: string): Promise<number | null> {
  const whole = batchFile(wanted.folder, batchId);
  const part = `${whole}${UNFINISHED}`;
  await mkdir(path.dirname(whole), { recursive: true, mode: 0o700 });
  const handle = await open(part, 'w', 0o600);
  let bytes = 0;
  let hasBooks = false;
  try {
    const append = async (more: Uint8Array) => {
      await handle.writeFile(more);
      bytes += more.length;
    };
    await append(fileStart(venue));
    let block = new BlockEncoder();
    for await (const record of findRecords(wanted)) {
      hasBooks ||= record.kind === 'book';
      block.add(record);
      if (block.count < BLOCK_RECORDS) continue;
      await append(await blockBytes(block));
      block = new BlockEncoder();
    }
    if (block.count > 0) await append(await blockBytes(block));
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (hasBooks) await rename(part, whole);
  else await rm(part, { force: true });
  return hasBooks ? bytes : null;
}

/** What was being written when a process ended. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folderOf(folder)).catch(() => []);
  for (const name of names) if (name.endsWith(UNFINISHED)) await rm(path.join(folderOf(folder), name), { force: true });
}

/** The oldest first. */
export async function listBatchFiles(folder: string): Promise<{ batchId: string; bytes: number }[]> {
  const names = await readdir(folderOf(folder)).catch(() => []);
  const files: { batchId: string; bytes: number; writtenMs: number }[] = [];
  for (const name of names) {
    const found = name.endsWith(ENDING) ? await stat(path.join(folderOf(folder), name)).catch(() => null) : null;
    if (found === null) continue;
    files.push({ batchId: path.basename(name, ENDING), bytes: found.size, writtenMs: found.mtimeMs });
  }
  return files.toSorted((one, other) => one.writtenMs - other.writtenMs);
}
