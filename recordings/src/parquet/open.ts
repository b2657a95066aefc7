/**
 * Opens Parquet files that other programs may have made: what a file says of lengths is held against what it has and against limits,
 * page by page and run by run, before values are read. Files from strangers are read in a process whose memory is limited
 * all the same.
 */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  type PageHeader,
  parquetMetadataAsync,
  parquetScan,
  type RowGroup,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { snappyUncompress } from 'hysnappy';
import { UnreadableRecording } from '../bytes.ts';
import type { ReadBytes } from '../file.ts';
import { checkRuns } from './runs.ts';

const FOOTER_BYTES_MAX = 16 * 1024 * 1024;
const CHUNK_BYTES_MAX = 256 * 1024 * 1024;
const PAGE_BYTES_MAX = 128 * 1024 * 1024;
/** What the largest of the usual writers puts into one group. */
const GROUP_ROWS_MAX = 1024 * 1024;
const ROWS_MAX = 500_000_000;
/** All but those whose values may be longer than the page that they lie in, and that of booleans, which no column has. */
const ENCODINGS: ReadonlySet<string | undefined> = new Set([
  ...['PLAIN', 'PLAIN_DICTIONARY', 'RLE_DICTIONARY', 'DELTA_BINARY_PACKED', 'DELTA_LENGTH_BYTE_ARRAY'],
  'BYTE_STREAM_SPLIT',
]);

const EXPAND: Required<Pick<Compressors, 'SNAPPY' | 'ZSTD' | 'GZIP' | 'BROTLI'>> = {
  // The reader's own goes back and forth without an end in a page that was changed.
  SNAPPY: (bytes, length) => snappyUncompress(bytes, within(length, PAGE_BYTES_MAX, 'a page')),
  ZSTD: (bytes, length) => zstdDecompressSync(bytes, expansion(length)),
  GZIP: (bytes, length) => gunzipSync(bytes, expansion(length)),
  BROTLI: (bytes, length) => brotliDecompressSync(bytes, expansion(length)),
};

const PARSERS = {
  timestampFromMilliseconds: (ms: bigint) => Number(ms),
  timestampFromMicroseconds: (micros: bigint) => Number(micros / 1000n),
  timestampFromNanoseconds: (nanos: bigint) => Number(nanos / 1_000_000n),
};

function expansion(length: number): { maxOutputLength: number } {
  // Node takes no limit of nothing.
  return { maxOutputLength: Math.max(1, within(length, PAGE_BYTES_MAX, 'a page')) };
}

/** @throws UnreadableRecording unless a whole number from 0 to `max` */
function within(value: number | bigint | undefined, max: number, what: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0 && number <= max) return number;
  throw new UnreadableRecording(`${what} says that it has ${number}, which is not between 0 and ${max}`);
}

export type ParquetFile = {
  /** Columns with exactly one value in each row. */
  columns: ReadonlySet<string>;
  /** What the file says of itself under that name. */
  note: (key: string) => string | null;
  /** The values of these columns, group by group of rows. @throws UnreadableRecording */
  groups: <Name extends string>(names: readonly Name[]) => AsyncGenerator<Record<Name, unknown[]>>;
};

/** `length`: of the file, in bytes. @throws UnreadableRecording where it is no Parquet file, or one beyond the limits */
export async function openParquet(read: ReadBytes, length: number): Promise<ParquetFile> {
  const file = bufferOf(read, length);
  const metadata = await understood(async () => {
    const end = await read(Math.max(0, length - 8), 8);
    if (end.length < 8 || end.toString('latin1', 4) !== 'PAR1')
      throw new UnreadableRecording('this is no Parquet file');
    within(end.readUInt32LE(0), Math.min(FOOTER_BYTES_MAX, length - 8), 'the end of the file');
    return await parquetMetadataAsync(file, { geoparquet: false });
  });
  within(metadata.num_rows, ROWS_MAX, 'the file');
  for (const { num_rows: rows } of metadata.row_groups) within(rows, GROUP_ROWS_MAX, 'a group of rows');
  return {
    columns: flatColumns(metadata),
    note: (key) => metadata.key_value_metadata?.find((each) => each.key === key)?.value ?? null,
    groups: (names) => readGroups(file, metadata, names),
  };
}

function flatColumns({ schema }: FileMetaData): Set<string> {
  const names = new Set<string>();
  const [root, ...elements] = schema;
  if (root?.num_children !== elements.length) throw new UnreadableRecording('columns within columns cannot be read');
  for (const { name, type, repetition_type: repetition } of elements) {
    if (type !== undefined && repetition !== 'REPEATED') names.add(name);
  }
  return names;
}

async function* readGroups<Name extends string>(
  file: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly Name[],
): AsyncGenerator<Record<Name, unknown[]>> {
  const scan = await understood(() =>
    parquetScan({ file, metadata, columns: [...names], compressors: EXPAND, parsers: PARSERS, useOffsetIndex: false }),
  );
  const mayLack = new Set(
    metadata.schema.filter(({ repetition_type: type }) => type === 'OPTIONAL').map(({ name }) => name),
  );
  const groups = metadata.row_groups.filter(({ num_rows: rows }) => rows > 0n);
  for (const [place, { rowStart, rowEnd }] of scan.ranges.entries()) {
    const values: Partial<Record<Name, unknown[]>> = {};
    for (const column of names) {
      values[column] = await understood(async () => {
        await checkPages(file, groups[place], column, mayLack.has(column));
        return Array.from<unknown>(await scan.readColumn({ column, rowStart, rowEnd }));
      });
      if (values[column]?.length !== rowEnd - rowStart)
        throw new UnreadableRecording(`${column} has fewer values than the file has rows`);
    }
    yield values as Record<Name, unknown[]>;
  }
}

/** What the pages of a column say of themselves. `mayLack`: whether a row can be without a value. */
async function checkPages(
  file: AsyncBuffer,
  group: RowGroup | undefined,
  column: string,
  mayLack: boolean,
): Promise<void> {
  const chunk = group?.columns.find(({ meta_data: data }) => data?.path_in_schema[0] === column);
  const { start, end } = placeOf(chunk);
  const view = new DataView(await file.slice(start, end));
  const rows = Number(group?.num_rows);
  const reader = { view, offset: 0 };
  let values = 0;
  while (reader.offset < view.byteLength - 1) {
    const header = parquetHeader(reader);
    const page = header.data_page_header ?? header.data_page_header_v2;
    const encoding = (page ?? header.dictionary_page_header)?.encoding;
    if (!ENCODINGS.has(encoding))
      throw new UnreadableRecording(`${column} is encoded as ${encoding ?? 'nothing known'}`);
    within(header.dictionary_page_header?.num_values ?? 0, GROUP_ROWS_MAX, 'a dictionary');
    values += within(page?.num_values ?? 0, rows, 'a page');
    within(values, rows, `${column} of a group`);
    within(header.data_page_header_v2?.num_nulls ?? 0, rows, 'a page');
    within(header.uncompressed_page_size, PAGE_BYTES_MAX, 'a page');
    const bytes = within(header.compressed_page_size, view.byteLength - reader.offset, 'a page');
    checkRunsOf(new Uint8Array(view.buffer, reader.offset, bytes), header, chunk?.meta_data?.codec, mayLack);
    reader.offset += bytes;
  }
}

/** `page`: as it lies in the file. */
function checkRunsOf(page: Uint8Array, header: PageHeader, codec: string | undefined, mayLack: boolean): void {
  const { data_page_header: old, data_page_header_v2: v2, uncompressed_page_size: size } = header;
  const expanded = (bytes: Uint8Array, length: number) =>
    codec === 'UNCOMPRESSED' ? bytes : expanderOf(codec)(bytes, length);
  if (old !== undefined) {
    const all = expanded(page, size);
    const lackBytes = mayLack ? 4 + new DataView(all.buffer, all.byteOffset).getUint32(0, true) : 0;
    if (mayLack) checkRuns(all.subarray(4, lackBytes), 1, old.num_values);
    checkIndexes(all.subarray(lackBytes), old.encoding, old.num_values);
  } else if (v2 !== undefined) {
    const { definition_levels_byte_length: lack, repetition_levels_byte_length: nested } = v2;
    const levels = within(lack, page.length, 'a page') + within(nested, 0, 'a page');
    if (mayLack) checkRuns(page.subarray(0, levels), 1, v2.num_values);
    const rest = page.subarray(levels);
    const values = v2.is_compressed === false ? rest : expanded(rest, size - levels);
    checkIndexes(values, v2.encoding, v2.num_values - v2.num_nulls);
  }
}

function checkIndexes(bytes: Uint8Array, encoding: string, values: number): void {
  if (encoding.endsWith('DICTIONARY')) checkRuns(bytes.subarray(1), bytes[0] ?? 0, values);
}

function expanderOf(codec: string | undefined): (bytes: Uint8Array, length: number) => Uint8Array {
  const found = Object.entries(EXPAND).find(([name]) => name === codec);
  if (found === undefined) throw new UnreadableRecording(`it is compressed by ${codec ?? 'nothing known'}`);
  return found[1];
}

function placeOf(chunk: ColumnChunk | undefined): { start: number; end: number } {
  const data = chunk?.meta_data;
  if (data === undefined || chunk?.file_path) throw new UnreadableRecording('a column lies in another file');
  const { dictionary_page_offset: dictionary, data_page_offset: first, total_compressed_size: bytes } = data;
  const start = dictionary || first;
  within(data.total_uncompressed_size, CHUNK_BYTES_MAX, 'a column of a group');
  return { start: Number(start), end: Number(start) + within(bytes, CHUNK_BYTES_MAX, 'a column of a group') };
}

/** Never more than the file has. */
function bufferOf(read: ReadBytes, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      const bytes = await read(start, Math.max(0, Math.min(end, byteLength) - start));
      return new Uint8Array(bytes).buffer;
    },
  };
}

async function understood<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableRecording) throw error;
    throw new UnreadableRecording(error instanceof Error ? error.message : 'the file cannot be read');
  }
}
