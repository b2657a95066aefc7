/**
 * Cuts CSV text into records so that a broken one costs only itself. A quote that is opened and not closed would
 * swallow the rows behind it, so lines are joined only where the join reads as one clean record. The library's own
 * stream cannot do that: set to skip what is broken, it still loses the good row behind an open quote.
 */
import { parse } from 'csv-parse/sync';

type Cells = { cells: string[]; reason: null } | { cells: null; reason: string };
/** `cells` is null where the record cannot be read; `reason` says why. `characters` is how much of the text it takes up. */
export type CsvRecord = Cells & { characters: number };
export type LineEnd = '\n' | '\r';

const RECORD_CHARACTERS_MAX = 65_536;
/** Characters needed to read one record: the longest, and the end of its line. */
const WINDOW = RECORD_CHARACTERS_MAX + 2;
const QUOTE = '"'.charCodeAt(0);

/**
 * The records of a text that comes in pieces, in order; an empty line is a record with one empty cell. Null: a piece was
 * read over within a line that is too long. The work between two results is bounded by `RECORD_CHARACTERS_MAX` and one
 * piece, whatever the text is: a reader of many yields to the event loop in between.
 */
export function* csvRecords(pieces: Iterable<string>, lineEnd: LineEnd): Generator<CsvRecord | null> {
  const source = pieces[Symbol.iterator]();
  let text = '';
  let start = 0;
  let isWhole = false;
  const readOn = () => {
    const { done, value } = source.next();
    isWhole = done === true;
    text = text.slice(start) + (isWhole ? '' : value);
    start = 0;
  };
  for (;;) {
    while (!isWhole && text.length - start < WINDOW) readOn();
    if (start >= text.length) return;
    const line = lineAt(text, lineEnd, start);
    const joined = isOpen(text, line) ? joinedRecord(text, lineEnd, line) : null;
    const next = joined?.next ?? line.next;
    const characters = next - start;
    if (joined !== null) yield { cells: joined.cells, reason: null, characters };
    else yield { ...lineRecord(text, line), characters };
    let isWithinLine = next > text.length;
    start = next;
    while (isWithinLine && !isWhole) {
      start = text.length;
      readOn();
      const end = text.indexOf(lineEnd);
      isWithinLine = end === -1;
      start = isWithinLine ? text.length : end + 1;
      yield null;
    }
  }
}

type Line = { start: number; end: number; next: number };

/** The line at `start`, without a carriage return before its line feed. */
function lineAt(text: string, lineEnd: LineEnd, start: number): Line {
  const found = text.indexOf(lineEnd, start);
  const end = found === -1 ? text.length : found;
  return { start, end: text[end - 1] === '\r' && end > start ? end - 1 : end, next: end + 1 };
}

/** Whether the line's quotes leave one open: they come in pairs otherwise. One that is too long is not read at all. */
function isOpen(text: string, { start, end }: Line): boolean {
  if (end - start > RECORD_CHARACTERS_MAX) return false;
  let quotes = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === QUOTE) quotes += 1;
  return quotes % 2 === 1;
}

/** Joins an open line with those up to the one that closes it, if that is a well-formed record of tolerable length. */
function joinedRecord(text: string, lineEnd: LineEnd, first: Line): { cells: string[]; next: number } | null {
  for (let start = first.next; start < text.length; ) {
    const line = lineAt(text, lineEnd, start);
    if (line.end - first.start > RECORD_CHARACTERS_MAX) return null;
    if (isOpen(text, line)) {
      const cells = parseRecord(text.slice(first.start, line.end), false);
      return cells === null ? null : { cells, next: line.next };
    }
    start = line.next;
  }
  return null;
}

function lineRecord(text: string, line: Line): Cells {
  if (line.start === line.end) return { cells: [''], reason: null };
  if (line.end - line.start > RECORD_CHARACTERS_MAX) {
    return { cells: null, reason: `The row is longer than ${RECORD_CHARACTERS_MAX} characters` };
  }
  const cells = parseRecord(text.slice(line.start, line.end), true);
  return cells === null ? { cells: null, reason: 'A quote is opened and never closed' } : { cells, reason: null };
}

/** The cells of exactly one record, or null. `relaxed` lets a quote stand in the middle of a cell. */
function parseRecord(record: string, relaxed: boolean): string[] | null {
  return cleanCells(record) ?? parseAny(record, relaxed);
}

/**
 * The cells of a record in which every quote opens, closes or stands doubled inside a cell, else null. Nearly all are
 * such, and making a parser for each takes ten times as long as reading it.
 */
function cleanCells(record: string): string[] | null {
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const isQuoted = record[at] === '"';
    const end = isQuoted ? closingQuote(record, at + 1) + 1 : endOfPlainCell(record, at);
    if (end <= 0 || (end < record.length && record[end] !== ',')) return null;
    cells.push(isQuoted ? record.slice(at + 1, end - 1).replaceAll('""', '"') : record.slice(at, end));
    if (end === record.length) return cells;
    at = end + 1;
  }
}

/** -1 where there is none. */
function closingQuote(record: string, from: number): number {
  for (let at = record.indexOf('"', from); at !== -1; at = record.indexOf('"', at + 2)) {
    if (record[at + 1] !== '"') return at;
  }
  return -1;
}

/** -1 where a quote or a line break stands in it. */
function endOfPlainCell(record: string, from: number): number {
  const comma = record.indexOf(',', from);
  const end = comma === -1 ? record.length : comma;
  for (let at = from; at < end; at += 1) if (record[at] === '"' || record[at] === '\n') return -1;
  return end;
}

function parseAny(record: string, relaxed: boolean): string[] | null {
  try {
    const found: string[][] = parse(record, {
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: relaxed,
    });
    return found.length === 1 ? (found[0] ?? null) : null;
  } catch {
    return null;
  }
}
