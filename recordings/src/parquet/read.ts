/** Records out of Parquet files: what this product has written itself, and archives of ticks that others keep. */
import { UnreadableRecording } from '../bytes.ts';
import type { ReadBytes } from '../file.ts';
import type { Recorded } from '../record.ts';
import { openParquet, type ParquetFile } from './open.ts';
import { RECORD_COLUMNS, RowReader } from './rows.ts';
import { TICK_COLUMNS, TickReader } from './ticks.ts';
import { VENUE_KEY } from './write.ts';

/** `venue`: null where the file does not say. `records`: in the order in which they arrived. */
export type ParquetRecording = { venue: string | null; records: AsyncGenerator<Recorded[]> };

/**
 * `length`: of the file, in bytes. `ticks`: that of the file before where an archive goes on in this one, since archives tell no whole
 * books. @throws UnreadableRecording, which names the columns that a file lacks; so do `records`
 */
export async function readParquet(
  read: ReadBytes,
  length: number,
  ticks: TickReader = new TickReader(),
): Promise<ParquetRecording> {
  const file = await openParquet(read, length);
  const lacks = (names: readonly string[]) => names.filter((name) => !file.columns.has(name));
  const [ofRecords, ofTicks] = [lacks(RECORD_COLUMNS), lacks(TICK_COLUMNS)];
  if (ofRecords.length === 0) return { venue: file.note(VENUE_KEY), records: recordsIn(file) };
  if (ofTicks.length === 0) return { venue: null, records: ticksIn(file, ticks) };
  throw new UnreadableRecording(
    `this is no recording, which it lacks ${ofRecords.join(', ')} for, and no archive of ticks, which it lacks ` +
      `${ofTicks.join(', ')} for`,
  );
}

async function* recordsIn(file: ParquetFile): AsyncGenerator<Recorded[]> {
  const rows = new RowReader();
  for await (const table of file.groups(RECORD_COLUMNS)) yield rows.read(table);
  yield rows.end();
}

async function* ticksIn(file: ParquetFile, ticks: TickReader): AsyncGenerator<Recorded[]> {
  for await (const table of file.groups(TICK_COLUMNS)) yield ticks.read(table);
  yield ticks.end();
}
