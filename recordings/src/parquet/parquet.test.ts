import { readFileSync } from 'node:fs';
import path from 'node:path';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import {
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  parquetWriteBuffer,
  schemaFromColumnData,
} from 'hyparquet-writer';
import { describe, expect, it, vi } from 'vitest';
import { UnreadableRecording } from '../bytes.ts';
import { RecordedBooks } from '../follow-books.ts';
import type { Recorded } from '../record.ts';
import { anyRecord, readsOf } from '../testing.fixture.ts';
import { readParquet } from './read.ts';
import { addRows, emptyTable, RECORD_COLUMNS, RowReader } from './rows.ts';
import { writeParquet } from './write.ts';

async function* inPieces(records: readonly Recorded[]): AsyncGenerator<readonly Recorded[]> {
  for (let start = 0; start < records.length; start += 3) yield records.slice(start, start + 3);
}

async function written(records: readonly Recorded[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  await writeParquet('simulated', inPieces(records), async (bytes) => void parts.push(bytes));
  return Buffer.concat(parts);
}

async function readBack(bytes: Buffer): Promise<{ venue: string | null; records: Recorded[] }> {
  const { venue, records } = await readParquet(readsOf(bytes), bytes.length);
  const all: Recorded[] = [];
  for await (const some of records) all.push(...some);
  return { venue, records: all };
}

const trustAt = (ms: number): Recorded => ({
  ...{ kind: 'trust', tokenId: '1', at: instantFromMs(ms), venueAt: null, trust: 'live' },
});

/** A file that is made as others make theirs; `lie`: what its end says of the rest is changed before it is written. */
function foreign(columnData: ColumnSource[], lie: (writer: ParquetWriter) => void = () => {}): Buffer {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData }) });
  writer.write({ columnData, rowGroupSize: 1_000_000 });
  lie(writer);
  writer.finish();
  return Buffer.from(bytes.getBytes());
}

function tickColumns(rows: readonly (readonly unknown[])[]): ColumnSource[] {
  const names = ['timestamp', 'asset_id', 'side', 'price', 'size', 'best_bid', 'best_ask', 'event_type'];
  const types = ['TIMESTAMP', 'STRING', 'STRING', 'DOUBLE', 'DOUBLE', 'DOUBLE', 'DOUBLE', 'STRING'] as const;
  return names.map((name, column) => {
    const data = rows.map((row) => (column === 0 ? new Date(Number(row[0])) : row[column]));
    return { name, data, type: types[column] ?? 'STRING' };
  });
}

const TICKS = tickColumns([
  [1000, 'yes', 'BID', 0.4, 10, 0.4, 1, 'PRICE_CHANGE'],
  [1000, 'no', 'ASK', 0.6, 10, 0, 0.6, 'PRICE_CHANGE'],
  [1001, 'yes', 'BID', 0.4, 3, 0, 0, 'LAST_TRADE'],
  [1002, 'yes', 'BID', 0.45, 7, 0.45, 1, 'PRICE_CHANGE'],
  [1002, 'no', 'ASK', 0.55, 7, 0, 0.55, 'PRICE_CHANGE'],
  // The venue's clock goes back, and the removal of the better level was not kept.
  [990, 'yes', 'BID', 0.39, 1, 0.4, 1, 'PRICE_CHANGE'],
  [990, 'no', 'ASK', 0.61, 1, 0, 0.6, 'PRICE_CHANGE'],
]);

const TICKS_COUNT = 1000;
const TICKS_OF_ONE = tickColumns(
  Array.from({ length: TICKS_COUNT }, () => [1000, 'yes', 'BID', 0.4, 10, 0.4, 1, 'PRICE_CHANGE']),
);

describe('a recording as Parquet', () => {
  it('gives back whatever records it was given, and says of which venue they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord), async (records) => {
        expect(await readBack(await written(records))).toEqual({ venue: 'simulated', records });
      }),
    );
  });

  it('is read whole where its rows lie in several groups', async () => {
    const records = Array.from({ length: 100_001 }, (_, ms) => trustAt(ms));
    const bytes = await written(records);
    expect(parquetMetadata(new Uint8Array(bytes)).row_groups.map(({ num_rows: rows }) => rows)).toEqual([100_000n, 1n]);
    expect((await readBack(bytes)).records).toEqual(records);
  });

  it('keeps a record together wherever its rows are cut apart', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 5 }), fc.nat(), (records, anyPlace) => {
        const table = emptyTable();
        for (const [number, record] of records.entries()) addRows(table, record, number);
        const place = anyPlace % (table.record.length + 1);
        const [before, after] = [emptyTable(), emptyTable()];
        for (const name of RECORD_COLUMNS) {
          before[name] = table[name].slice(0, place);
          after[name] = table[name].slice(place);
        }
        const rows = new RowReader();
        expect([...rows.read(before), ...rows.read(after), ...rows.end()]).toEqual(records);
      }),
    );
  });

  it('has columns that other programs know by their types', async () => {
    const { schema } = parquetMetadata(new Uint8Array(await written([trustAt(1)])));
    const types = schema.slice(1).map(({ name, logical_type: logical, type }) => `${name} ${logical?.type ?? type}`);
    expect(types).toEqual([
      ...['record INT32', 'at TIMESTAMP', 'venue_at TIMESTAMP', 'token_id STRING', 'kind STRING', 'side STRING'],
      ...['price DOUBLE', 'size DOUBLE', 'trust STRING', 'until TIMESTAMP', 'reason STRING', 'mirror_of STRING'],
    ]);
  });
});

describe('an archive of ticks', () => {
  it('becomes books, of two outcomes one as the mirror of the other', async () => {
    const live = { kind: 'trust', trust: 'live', venueAt: null };
    const [at, later] = [
      { at: 1000, venueAt: 1000 },
      { at: 1002, venueAt: 1002 },
    ];
    expect(await readBack(foreign(TICKS))).toEqual({
      venue: null,
      records: [
        { kind: 'book', tokenId: 'no', ...at, bids: [], asks: [{ price: 600_000, size: 10_000_000 }] },
        { ...live, tokenId: 'no', at: 1000 },
        { kind: 'mirror', tokenId: 'yes', of: 'no', at: 1000, venueAt: null },
        { ...live, tokenId: 'yes', at: 1000 },
        { kind: 'changes', tokenId: 'no', ...later, changes: [{ side: 'sell', price: 550_000, size: 7_000_000 }] },
        {
          ...{ kind: 'changes', tokenId: 'no', at: 1002, venueAt: 990 },
          changes: [
            { side: 'sell', price: 610_000, size: 1_000_000 },
            { side: 'sell', price: 550_000, size: 0 },
          ],
        },
      ],
    });
  });

  it('is read as DuckDB writes it, which fills runs of indexes up to 256', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => {
      return [1000 + i, i ** 2 % 7 < 3 ? 'yes' : 'no', 'BID', ((i ** 2 % 5) + 1) / 10, 5, 0.9, 1, 'PRICE_CHANGE'];
    });
    const byDuckDb = readFileSync(path.join(import.meta.dirname, 'by-duckdb.fixture.parquet'));
    expect(await readBack(byDuckDb)).toEqual(await readBack(foreign(tickColumns(rows))));
  });

  it('may have whole books, a row for each level, in place of what stood there', async () => {
    const ticks = tickColumns([
      [1000, 'yes', 'BID', 0.4, 10, 0.4, 1, 'PRICE_CHANGE'],
      [1000, 'no', 'ASK', 0.6, 10, 0, 0.6, 'PRICE_CHANGE'],
      [1001, 'yes', 'BUY', 0.35, 4, 0, 0, 'BOOK'],
      [1001, 'yes', 'SELL', 0.5, 3, 0, 0, 'BOOK'],
      [1001, 'yes', 'BID', 0.36, 2, 0.36, 0.5, 'price_change'],
      [1001, 'no', 'SELL', 0.65, 4, 0, 0, 'book_snapshot'],
      [1001, 'no', 'BUY', 0.5, 3, 0, 0, 'book_snapshot'],
      [1001, 'no', 'ASK', 0.64, 2, 0.5, 0.64, 'price_change'],
      // Of another market, and the same size at the other end: no mirror of what stands before it.
      [1002, 'yes', 'BID', 0.3, 1, 0, 0, 'SNAPSHOT'],
      [1002, 'other', 'ASK', 0.7, 1, 0, 0, 'SNAPSHOT'],
    ]);
    const books = new RecordedBooks();
    for (const record of (await readBack(foreign(ticks))).records) {
      books.apply(record);
      if (record.at < 1002) continue;
      expect(books.book('yes')).toEqual({ bids: [{ price: 300_000, size: 1_000_000 }], asks: [] });
    }
    expect(books.book('other')).toEqual({ bids: [], asks: [{ price: 700_000, size: 1_000_000 }] });
    expect(books.book('no')).toEqual({
      bids: [{ price: 500_000, size: 3_000_000 }],
      asks: [
        { price: 640_000, size: 2_000_000 },
        { price: 650_000, size: 4_000_000 },
      ],
    });
  });

  it('is refused with the row where something is not what it should be', async () => {
    const wrong = tickColumns([[1000, 'yes', 'LEFT', 0.4, 10, 0.4, 1, 'PRICE_CHANGE']]);
    await expect(readBack(foreign(wrong))).rejects.toThrow('row 1: side is LEFT');
    const dear = tickColumns([[1000, 'yes', 'BID', 1.4, 10, 0.4, 1, 'PRICE_CHANGE']]);
    await expect(readBack(foreign(dear))).rejects.toThrow('row 1: price: 1.4 is not between 0 and 1');
    const unknown = tickColumns([[1000, 'yes', 'BID', 0.4, 10, 0.4, 1, 'AUCTION']]);
    await expect(readBack(foreign(unknown))).rejects.toThrow(
      'row 1: event_type is AUCTION, not PRICE_CHANGE, LAST_TRADE or, with a row for each level, BOOK',
    );
  });
});

describe('a Parquet file that is not to be trusted', () => {
  it('is refused with what it lacks where its columns are not known', async () => {
    const file = Buffer.from(parquetWriteBuffer({ columnData: TICKS.filter(({ name }) => name !== 'best_ask') }));
    await expect(readBack(file)).rejects.toThrow(/no archive of ticks, which it lacks best_ask for/);
    await expect(readBack(file)).rejects.toThrow(/no recording, which it lacks record, at, venue_at/);
  });

  it('is refused where it says that it has more than it has', async () => {
    const groupOf = ({ row_groups: [group] }: ParquetWriter) => group ?? expect.fail('there is a group');
    const rows = (many: bigint) => foreign(TICKS, (writer) => void Object.assign(groupOf(writer), { num_rows: many }));
    await expect(readBack(rows(2n ** 40n))).rejects.toThrow('a group of rows says that it has 1099511627776');
    await expect(readBack(rows(1_000_000n))).rejects.toThrow('has fewer values than the file has rows');
    // Of what its pages say nothing is believed that the group does not have.
    await expect(readBack(rows(2n))).rejects.toThrow('a page says that it has 7, which is not between 0 and 2');
    const column = (change: { total_compressed_size?: bigint; total_uncompressed_size?: bigint }) =>
      foreign(TICKS, (writer) => void Object.assign(groupOf(writer).columns[0]?.meta_data ?? {}, change));
    await expect(readBack(column({ total_uncompressed_size: 2n ** 35n }))).rejects.toThrow('a column of a group says');
    await expect(readBack(column({ total_compressed_size: 2n ** 35n }))).rejects.toThrow('a column of a group says');
    const end = foreign(TICKS);
    end.writeUInt32LE(0xffff_ffff, end.length - 8);
    await expect(readBack(end)).rejects.toThrow('the end of the file says that it has 4294967295');
  });

  it('is refused where a few bytes say that a value is there two hundred million times', async () => {
    const honest = foreign(TICKS_OF_ONE);
    const { appendVarInt } = ByteWriter.prototype;
    // What runs say of their length; headers say theirs otherwise.
    const lying = vi.spyOn(ByteWriter.prototype, 'appendVarInt').mockImplementation(function (this: ByteWriter, value) {
      appendVarInt.call(this, value === 2 * TICKS_COUNT ? 400_000_000 : value);
    });
    const truthful = vi.spyOn(ByteWriter.prototype, 'appendZigZag').mockImplementation(function (
      this: ByteWriter,
      value,
    ) {
      if (typeof value === 'bigint') this.appendVarBigInt(value < 0n ? -2n * value - 1n : 2n * value);
      else appendVarInt.call(this, value < 0 ? -2 * value - 1 : 2 * value);
    });
    const lie = foreign(TICKS_OF_ONE);
    lying.mockRestore();
    truthful.mockRestore();
    expect((await readBack(honest)).records).toHaveLength(2);
    await expect(readBack(lie)).rejects.toThrow('a page repeats a value more often than the 1000 times that it has');
  });

  it('is refused in words wherever it was cut off', async () => {
    const whole = foreign(TICKS);
    for (let length = 0; length < whole.length; length += 7)
      await expect(readBack(whole.subarray(0, length))).rejects.toBeInstanceOf(UnreadableRecording);
  });

  it('is read or refused in words wherever a byte of it was changed', async () => {
    const whole = foreign(TICKS);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (place, bits) => {
        const changed = Buffer.from(whole);
        changed[place] = (changed[place] ?? 0) ^ bits;
        const refused = await readBack(changed).then(
          () => null,
          (error: unknown) => error,
        );
        if (refused !== null) expect(refused).toBeInstanceOf(UnreadableRecording);
      }),
      { numRuns: 500 },
    );
  });
});
