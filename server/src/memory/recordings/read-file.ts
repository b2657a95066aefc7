/** Recordings in files of either kind: `.dbr`, as they are recorded, and `.parquet`. */
import { open } from 'node:fs/promises';
import { type Damage, readFileStart } from '@dutchbook/recordings/file.ts';
import { readParquet } from '@dutchbook/recordings/parquet/read.ts';
import type { TickReader } from '@dutchbook/recordings/parquet/ticks.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { readsOf, withFile } from './files.ts';
import { blocksOf } from './merged-records.ts';

const [EVER, FOR_EVER] = [instantFromMs(-8.64e15), instantFromMs(8.64e15)];
/** Whose archives of ticks can be read. */
const VENUE_OF_TICKS = 'polymarket';

function isParquet(file: string): boolean {
  return file.endsWith('.parquet');
}

/** @throws UnreadableRecording, or what the file system says */
export async function venueOfFile(file: string): Promise<string> {
  if (!isParquet(file)) return await withFile(file, async (read) => (await readFileStart(read)).venue);
  const handle = await open(file, 'r');
  try {
    const { venue } = await readParquet(readsOf(handle), (await handle.stat()).size);
    return venue ?? VENUE_OF_TICKS;
  } finally {
    await handle.close();
  }
}

/** `ticks`: that of the file before. `onDamage` receives each part that could not be read. @throws UnreadableRecording, or what the file system says */
export async function* recordsOfFile(
  file: string,
  ticks: TickReader,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<Recorded[]> {
  if (!isParquet(file)) {
    yield* blocksOf({ path: file }, EVER, FOR_EVER, onDamage);
    return;
  }
  const handle = await open(file, 'r');
  try {
    yield* (await readParquet(readsOf(handle), (await handle.stat()).size, ticks)).records;
  } finally {
    await handle.close();
  }
}
