/** Writes records as Parquet, a group of rows at a time, so that memory does not grow with how many there are. */
import { constants, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { Recorded } from '../record.ts';
import { addRows, emptyTable, RECORD_COLUMNS, type RecordTable } from './rows.ts';

/** Under which name a file says of which venue it is. */
export const VENUE_KEY = 'dutchbook-venue';

const GROUP_ROWS = 100_000;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

type Column = Omit<SchemaElement, 'name'>;
const TEXT: Column = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
const TIME: Column = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
};
const NUMBER: Column = { type: 'DOUBLE' };

const always = (column: Column): Column => ({ ...column, repetition_type: 'REQUIRED' });
const mayLack = (column: Column): Column => ({ ...column, repetition_type: 'OPTIONAL' });

const COLUMNS: Record<keyof RecordTable, Column> = {
  ...{ record: always({ type: 'INT32' }), at: always(TIME), venue_at: mayLack(TIME), token_id: mayLack(TEXT) },
  ...{ kind: always(TEXT), side: mayLack(TEXT), price: mayLack(NUMBER), size: mayLack(NUMBER) },
  ...{ trust: mayLack(TEXT), until: mayLack(TIME), reason: mayLack(TEXT), mirror_of: mayLack(TEXT) },
};

/** What only grows is written as differences, which are small. */
const DIFFERENCES: ReadonlySet<string> = new Set(['record', 'at', 'venue_at']);

const SCHEMA: SchemaElement[] = [
  { name: 'recording', num_children: RECORD_COLUMNS.length },
  ...RECORD_COLUMNS.map((name) => ({ name, ...COLUMNS[name] })),
];

/** Takes the bytes of a file in their order; answers when it may be given more. */
export type TakeBytes = (bytes: Uint8Array) => Promise<void>;

class Outlet extends ByteWriter {
  readonly #take: TakeBytes;

  constructor(take: TakeBytes) {
    super();
    this.#take = take;
  }

  async flush(): Promise<void> {
    const bytes = this.getBytes().slice();
    this.index = 0;
    await this.#take(bytes);
  }

  override finish(): Promise<void> {
    return this.flush();
  }
}

/** `venue`: one word. `records`: in the order in which they arrived, as many at once as are there. */
export async function writeParquet(
  venue: string,
  records: AsyncIterable<readonly Recorded[]>,
  take: TakeBytes,
): Promise<void> {
  const writer = new ParquetWriter({
    ...{ writer: new Outlet(take), schema: SCHEMA, codec: 'ZSTD' },
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, COMPRESSION) },
    ...{ kvMetadata: [{ key: VENUE_KEY, value: venue }], createdBy: 'dutchbook' },
  });
  let table = emptyTable();
  let number = 0;
  for await (const some of records) {
    for (const record of some) {
      addRows(table, record, number);
      number += 1;
      if (table.record.length < GROUP_ROWS) continue;
      await writer.write({ columnData: columnsOf(table), rowGroupSize: table.record.length });
      table = emptyTable();
    }
  }
  if (table.record.length > 0) await writer.write({ columnData: columnsOf(table), rowGroupSize: table.record.length });
  await writer.finish();
}

function columnsOf(table: RecordTable): ColumnSource[] {
  return RECORD_COLUMNS.map((name) => {
    const isTime = COLUMNS[name].type === 'INT64';
    const data = isTime ? table[name].map((ms) => (typeof ms === 'number' ? BigInt(ms) : null)) : table[name];
    return DIFFERENCES.has(name) ? { name, data, encoding: 'DELTA_BINARY_PACKED' } : { name, data };
  });
}
