/** CSV files of the largest allowed size, each hard to read in its own way. */
import { CSV_BYTES_MAX, CSV_ROWS_MAX } from '@dutchbook/contract/opportunities.ts';

const HEADER = 'market_combinations,target_price,active,source,source_details\n';
const ROOM = CSV_BYTES_MAX - 10;
/** What a row may be at most, in characters. */
const ROW_MAX = 65_000;

export const HARD_FILES: readonly (readonly [name: string, file: () => Buffer])[] = [
  ['rows of one letter', () => filled(HEADER, 'a\n')],
  ['empty lines', () => filled(HEADER, '\n')],
  ['blanks alone', () => filled('', ' ')],
  ['a header without end', () => filled('', 'market_combinations,')],
  ['quotes opened again and again', () => filled(HEADER, '"\n')],
  ['one row without end', () => filled(HEADER, 'x,')],
  ['rows of many cells', () => filled(HEADER, `${','.repeat(ROW_MAX)}\n`)],
  ['rows of a quote out of place', () => filled(HEADER, `x${'a"b'.repeat(ROW_MAX / 3)}\n`)],
  ['rows of lists in lists', () => filled(HEADER, `"${'['.repeat(ROW_MAX / 2)}${']'.repeat(ROW_MAX / 2)}"\n`)],
  ['rows of too many legs', () => filled(HEADER, `"[${legs(900)}]"\n`)],
  ['rows of 50 positions', () => rows((row) => `"[${legs(50, `-${row}`)}]"`)],
  ['50,000 new rows', () => rows((row) => `"[${legs(2, `-${row}`)}]"`)],
  ['50,000 rows that are stored already', () => rows((row) => `"[${legs(2, `-${row}`)}]"`)],
  ['50,000 rows of one opportunity', () => rows(() => `"[${legs(2)}]",1,false`)],
  ['50,000 rows of no JSON', () => rows(() => 'x'.repeat(150))],
];

function filled(header: string, piece: string): Buffer {
  return Buffer.from(header + piece.repeat(Math.floor((ROOM - header.length) / Buffer.byteLength(piece))));
}

/** As many as may be and as fit. */
function rows(row: (index: number) => string): Buffer {
  const lines: string[] = [];
  for (let size = HEADER.length; lines.length < CSV_ROWS_MAX; ) {
    const line = row(lines.length);
    size += line.length + 1;
    if (size > ROOM) break;
    lines.push(line);
  }
  return Buffer.from(HEADER + lines.join('\n'));
}

function legs(count: number, suffix = ''): string {
  return Array.from(
    { length: count },
    (_, leg) => `{""leg"":${leg + 1},""markets"":[{""id"":""m${leg}${suffix}"",""outcome"":""Yes""}]}`,
  ).join(',');
}
