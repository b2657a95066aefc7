/**
 * Cuts CSV text into records so that a broken one costs only itself. A quote that is opened and not closed would
 * swallow the rows behind it, so lines are joined only where the join reads as one clean record.
 */
import { parse } from 'csv-parse/sync';

/** `cells` is null where the record cannot be read; `reason` says why. */
export type CsvRecord = { cells: string[]; reason: null } | { cells: null; reason: string };

const RECORD_CHARACTERS_MAX = 65_536;

/** The records in order; an empty line is a record with one empty cell. */
export function* csvRecords(text: string): Generator<CsvRecord> {
  const lines = linesOf(text);
  for (let index = 0; index < lines.length; ) {
    const joined = isOpen(text, lines[index]) ? joinedRecord(text, lines, index) : null;
    if (joined !== null) {
      yield { cells: joined.cells, reason: null };
      index = joined.next;
    } else {
      yield lineRecord(text, lines[index]);
      index += 1;
    }
  }
}

type Line = { start: number; end: number };

/** At line feeds, without the carriage return before them; at carriage returns where there is no line feed at all. */
function linesOf(text: string): Line[] {
  const separator = text.includes('\n') ? '\n' : '\r';
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf(separator, start);
    const end = found === -1 ? text.length : found;
    lines.push({ start, end: text[end - 1] === '\r' && end > start ? end - 1 : end });
    start = end + 1;
  }
  return lines;
}

/** Whether the line's quotes leave one open: they come in pairs otherwise. */
function isOpen(text: string, line: Line | undefined): boolean {
  if (line === undefined) return false;
  let quotes = 0;
  for (let at = text.indexOf('"', line.start); at !== -1 && at < line.end; at = text.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

/** From an open line to the line that closes it, where that is one well-formed record of tolerable length. */
function joinedRecord(text: string, lines: readonly Line[], first: number): { cells: string[]; next: number } | null {
  const start = lines[first]?.start ?? 0;
  for (let last = first + 1; last < lines.length; last += 1) {
    const line = lines[last];
    if (line === undefined || line.end - start > RECORD_CHARACTERS_MAX) return null;
    if (!isOpen(text, line)) continue;
    const cells = parseRecord(text.slice(start, line.end), false);
    return cells === null ? null : { cells, next: last + 1 };
  }
  return null;
}

function lineRecord(text: string, line: Line | undefined): CsvRecord {
  if (line === undefined || line.start === line.end) return { cells: [''], reason: null };
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
