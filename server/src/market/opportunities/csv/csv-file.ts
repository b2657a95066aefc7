import { TextDecoder } from 'node:util';
import { CSV_ROWS_MAX } from '@dutchbook/contract/opportunities/import-csv.ts';
import { POSITIONS_MAX } from '@dutchbook/contract/opportunities.ts';
import type { MarketReference } from '@dutchbook/venues/venue.ts';
import { restore } from '../../../platform/csv/formula-cells.ts';
import { holdsMoreValuesThan } from '../../../platform/http/json-size.ts';
import { sliced } from '../../../platform/runtime/slices.ts';
import { type Draft, type DraftResult, readDraft } from '../draft.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { jsonFromPython } from './python-text.ts';

/** Row 1 is the first line under the header. `characters` is how much of the file it takes up. */
export type CsvRow = { row: number; characters: number; result: DraftResult | UnknownMarket };
/** An unknown market; with a draft where it is named by its id, so that the row can be stored. */
type UnknownMarket = { kind: 'unknown'; reason: string; draft: Draft | null };

/** The markets that names in a file refer to, and the ids that no market of the venue has. */
export type References = {
  names: ReadonlyMap<string, MarketReference | NotLookedUp>;
  unknownIds: ReadonlySet<string>;
};
export const NO_REFERENCES: References = { names: new Map(), unknownIds: new Set() };
export type NotLookedUp = { kind: 'not_looked_up'; marketId: null; isKnown: true; reason: string };

/** `ids`: the markets of each row by the names that it gives them. `rows`: the rows, read with the markets that these names stand for. */
export type CsvFile =
  | { kind: 'refused'; reason: string }
  | {
      kind: 'rows';
      ids: () => Iterable<{ ids: readonly string[]; characters: number }>;
      rows: (references?: References) => Iterable<CsvRow>;
    };

const COLUMNS = ['market_combinations', 'target_price', 'active', 'source', 'source_details'] as const;
type Column = (typeof COLUMNS)[number];

/** Characters of the file that are cut into records per tick of the event loop. */
const SLICE_CHARACTERS = 16_384;
/** Work of a record, in characters, besides its own: a file of empty lines is work as well. */
const RECORD_COST = 50;
/** Bytes that are decoded at once. */
const PIECE_BYTES = 65_536;
const LINE_FEED = 10;
/** Longer names of markets are shortened where they are shown. */
const SHOWN_LENGTH_MAX = 100;
const EXAMPLE = `market_combinations,target_price
"[{""leg"":1,""markets"":[{""id"":""0x12ab..."",""outcome"":""Yes""}]},{""leg"":2,""markets"":[{""id"":""0x34cd..."",""outcome"":""Yes""}]}]",1`;
/** Most JSON values in the cell of the legs: many times what fifty positions hold. */
const LEGS_VALUES_MAX = 1000;

/**
 * Opens an uploaded file, which comes in chunks. Refuses it as a whole only where no row of it could be understood, or at
 * the first row beyond the limit, without reading on.
 */
export async function openCsv(chunks: readonly Uint8Array[]): Promise<CsvFile> {
  try {
    return await readRows(chunks);
  } catch (error) {
    if (error instanceof NotUtf8) return refused('The file is not UTF-8. Save it as "CSV UTF-8" and import it again');
    throw error;
  }
}

async function readRows(chunks: readonly Uint8Array[]): Promise<CsvFile> {
  const slices = sliced(SLICE_CHARACTERS);
  // Lines end at carriage returns only where there is no line feed at all.
  const lineEnd = chunks.some((chunk) => chunk.includes(LINE_FEED)) ? '\n' : '\r';
  const records = csvRecords(decoded(chunks), lineEnd);
  const first = records.next().value ?? undefined;
  const header = places(first);
  if (typeof header === 'string' && !isBlank(first)) return refused(header);
  const rows: Numbered[] = [];
  let row = 0;
  for (const record of records) {
    if (record !== null) {
      row += 1;
      if (!isBlank(record)) rows.push({ row, record });
      if (typeof header === 'string' && rows.length > 0) return refused(header);
      if (rows.length > CSV_ROWS_MAX) {
        return refused(`The file has more than ${CSV_ROWS_MAX.toLocaleString('en-US')} rows`);
      }
    }
    await slices.spend(record === null ? PIECE_BYTES : record.characters + RECORD_COST);
  }
  if (typeof header === 'string') return refused('The file is empty');
  return {
    kind: 'rows',
    ids: () => idsOf(rows, header),
    rows: (references = NO_REFERENCES) => rowsOf(rows, header, references),
  };
}

type Numbered = { row: number; record: CsvRecord };

function refused(reason: string): CsvFile {
  return { kind: 'refused', reason };
}

class NotUtf8 extends Error {}

/**
 * The text without a byte order mark, decoded piece by piece.
 * @throws NotUtf8 also for UTF-16, which may look like UTF-8 full of NULs
 */
function* decoded(chunks: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirstLine = true;
  for (const piece of cut(chunks)) {
    const text = decode(decoder, piece);
    if (isFirstLine && text.split('\n', 1)[0]?.includes('\0')) throw new NotUtf8();
    isFirstLine &&= !text.includes('\n');
    yield text;
  }
  yield decode(decoder, null);
}

/** `piece` is null at the end, where a character may have been left unfinished. */
function decode(decoder: TextDecoder, piece: Uint8Array | null): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw new NotUtf8();
  }
}

function* cut(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) yield chunk.subarray(from, from + PIECE_BYTES);
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
  return `The header must name the column market_combinations${hint}. For example:\n${EXAMPLE}`;
}

function* rowsOf(rows: Iterable<Numbered>, header: Header, references: References): Generator<CsvRow> {
  for (const { row, record } of rows)
    yield { row, characters: record.characters, result: readRow(record, header, references) };
}

function* idsOf(rows: Iterable<Numbered>, { places }: Header): Generator<{ ids: string[]; characters: number }> {
  for (const { record } of rows) {
    const cell = record.cells?.[places.get('market_combinations') ?? -1] ?? '';
    yield { ids: marketsIn(readLegs(cell)).map(({ id }) => id.trim()), characters: record.characters };
  }
}

function isBlank(record: CsvRecord | undefined): boolean {
  return record === undefined || (record.cells?.every((cell) => cell.trim() === '') ?? false);
}

function readRow({ cells, reason }: CsvRecord, { width, places }: Header, references: References): CsvRow['result'] {
  const bad = (field: Column | null, why: string): DraftResult => ({ kind: 'refused', field, reason: why });
  if (cells === null) return bad(null, reason);
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    return bad(null, `Has ${cells.length} cells under ${width} columns; cells with commas must stand in quotes`);
  }
  const cell = (column: Column) => cells[places.get(column) ?? -1] ?? '';
  const legs = readLegs(cell('market_combinations'));
  if (legs === TOO_MANY) return bad('market_combinations', `At most ${POSITIONS_MAX} positions`);
  if (legs === undefined) return bad('market_combinations', 'Is not JSON');
  const named = nameMarkets(legs, references);
  if (named !== null) return named;
  const targetPrice = readNumber(cell('target_price'));
  if (targetPrice === null) return bad('target_price', 'Is not a number');
  const active = readFlag(cell('active'));
  if (active === null) return bad('active', 'Is neither true nor false');
  const read = readDraft({
    market_combinations: legs,
    ...(targetPrice !== undefined && { target_price: targetPrice }),
    active,
    source: restore(cell('source')),
    source_details: restore(cell('source_details')),
  });
  const unknown = marketsIn(legs).find(({ id }) => references.unknownIds.has(id.trim()));
  if (read.kind === 'refused' || unknown === undefined) return read;
  const shown = unknown.id.trim().slice(0, SHOWN_LENGTH_MAX);
  return { kind: 'unknown', reason: `${shown}: ${UNKNOWN_ID}`, draft: read.draft };
}

const UNKNOWN_ID = 'The venue does not know this market; imported without a price';

const TOO_MANY = Symbol('more positions than a set may have');

/** Reads legs from JSON, or from Python's print; undefined where it is neither. */
function readLegs(cell: string): unknown {
  for (const text of [cell, jsonFromPython(cell)]) {
    if (text === null) continue;
    if (holdsMoreValuesThan(LEGS_VALUES_MAX, text)) return TOO_MANY;
    try {
      return JSON.parse(text);
    } catch {
      // The other text may parse.
    }
  }
  return undefined;
}

/** The markets in a value shaped like legs; they may be changed in place. */
function marketsIn(legs: unknown): { id: string; outcome?: unknown }[] {
  const markets = (Array.isArray(legs) ? legs : []).flatMap((leg: { markets?: unknown } | null) => leg?.markets ?? []);
  return markets.filter(
    (market): market is { id: string } => typeof (market as { id?: unknown } | null)?.id === 'string',
  );
}

/** Puts ids in the place of other names. @returns what is wrong with them, or null */
function nameMarkets(legs: unknown, { names }: References): CsvRow['result'] | null {
  for (const market of marketsIn(legs)) {
    const given = market.id.trim();
    const found = names.get(given);
    if (found === undefined) continue;
    const shown = given.slice(0, SHOWN_LENGTH_MAX);
    const wrong = (why: string) => ({ kind: 'refused' as const, field: 'market_combinations', reason: why });
    if (found.marketId === null) {
      const reason = `${shown}: ${found.reason}`;
      return found.isKnown ? wrong(reason) : { kind: 'unknown', reason, draft: null };
    }
    const { outcome } = market;
    if (found.outcome !== null && typeof outcome === 'string' && !isSameOutcome(found.outcome, outcome)) {
      return wrong(`${shown} is a token of the outcome ${found.outcome}, not ${outcome.slice(0, SHOWN_LENGTH_MAX)}`);
    }
    market.id = found.marketId;
  }
  return null;
}

function isSameOutcome(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
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
