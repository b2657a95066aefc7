import { CSV_ROWS_MAX } from '@dutchbook/contract/opportunities.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { type DraftResult, readDraft } from './draft.ts';
import { restore } from './formula-cells.ts';

/** Row 1 is the first line under the header. */
export type CsvRow = { row: number; result: DraftResult };

export type CsvFile = { kind: 'rows'; rows: Iterable<CsvRow> } | { kind: 'refused'; reason: string };

const COLUMNS = ['market_combinations', 'target_price', 'active', 'source', 'source_details'] as const;
type Column = (typeof COLUMNS)[number];

/** Opens an uploaded file. Refuses it as a whole only where no row of it could be understood. */
export function openCsv(bytes: Uint8Array): CsvFile {
  const text = decode(bytes);
  if (text === null) return refused('The file is not UTF-8. Save it as "CSV UTF-8" and import it again');
  if (text.trim() === '') return refused('The file is empty');
  const records = csvRecords(text);
  const first = records.next();
  const header = places(first.done ? undefined : first.value);
  if (typeof header === 'string') return refused(header);
  if (hasTooManyRows(text)) {
    return refused(`The file has more than ${CSV_ROWS_MAX.toLocaleString('en-US')} rows`);
  }
  return { kind: 'rows', rows: rowsOf(records, header) };
}

function refused(reason: string): CsvFile {
  return { kind: 'refused', reason };
}

/** Without a byte order mark; null when the bytes are not UTF-8, or are UTF-16 and look like UTF-8 full of NULs. */
function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [first] = text.split('\n', 1);
    return first?.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

type Header = { width: number; places: ReadonlyMap<Column, number> };

/** Where each known column stands, or why the header will not do. Other columns are left alone. */
function places(record: CsvRecord | undefined): Header | string {
  const names = (record?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const found = new Map<Column, number>();
  for (const column of COLUMNS) {
    const place = names.indexOf(column);
    if (place !== names.lastIndexOf(column)) return `The header names the column ${column} twice`;
    if (place !== -1) found.set(column, place);
  }
  if (found.has('market_combinations')) return { width: names.length, places: found };
  const semicolons = names.length === 1 && names[0]?.includes(';');
  const hint = semicolons ? '; columns must be separated by commas, not semicolons' : '';
  return `The header must name the column market_combinations${hint}`;
}

/** Counting lines is cheap and settles it for most files; records are counted where cells may hold line breaks. */
function hasTooManyRows(text: string): boolean {
  const end = text.trimEnd().length;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) breaks += 1;
  return (breaks > CSV_ROWS_MAX || breaks === 0) && countRows(text) > CSV_ROWS_MAX;
}

function countRows(text: string): number {
  let rows = -1;
  for (const record of csvRecords(text)) if (!isBlank(record)) rows += 1;
  return rows;
}

function* rowsOf(records: Iterable<CsvRecord>, header: Header): Generator<CsvRow> {
  let row = 0;
  for (const record of records) {
    row += 1;
    if (!isBlank(record)) yield { row, result: readRow(record, header) };
  }
}

function isBlank({ cells }: CsvRecord): boolean {
  return cells?.every((cell) => cell.trim() === '') ?? false;
}

function readRow({ cells, reason }: CsvRecord, { width, places }: Header): DraftResult {
  const bad = (field: Column | null, why: string): DraftResult => ({ kind: 'refused', field, reason: why });
  if (cells === null) return bad(null, reason);
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    return bad(null, `Has ${cells.length} cells under ${width} columns; cells with commas must stand in quotes`);
  }
  const cell = (column: Column) => cells[places.get(column) ?? -1] ?? '';
  const legs = parseJson(cell('market_combinations'));
  if (legs === undefined) return bad('market_combinations', 'Is not JSON');
  const targetPrice = readNumber(cell('target_price'));
  if (targetPrice === null) return bad('target_price', 'Is not a number');
  const active = readFlag(cell('active'));
  if (active === null) return bad('active', 'Is neither true nor false');
  return readDraft({
    market_combinations: legs,
    ...(targetPrice !== undefined && { target_price: targetPrice }),
    active,
    source: restore(cell('source')),
    source_details: restore(cell('source_details')),
  });
}

function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}

/** undefined where the cell is empty, null where it is no plain decimal. */
function readNumber(cell: string): number | undefined | null {
  const text = cell.trim();
  if (text === '') return undefined;
  return /^-?\d{0,10}(\.\d+)?$/.test(text) && /\d/.test(text) ? Number(text) : null;
}

/** An empty cell is true, as in the form. */
function readFlag(cell: string): boolean | null {
  const text = cell.trim().toLowerCase();
  if (['', 'true', '1', 'yes'].includes(text)) return true;
  return ['false', '0', 'no'].includes(text) ? false : null;
}
