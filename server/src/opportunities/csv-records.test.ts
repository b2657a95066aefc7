import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvRecords } from './csv-records.ts';

const cells = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\t', 'é') }), {
  minLength: 1,
  maxLength: 5,
});
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

it('reads what was written, each cell in quotes', () => {
  fc.assert(
    fc.property(cells, (written) => {
      expect([...csvRecords(written.map(quoted).join(','))]).toEqual([{ cells: written, reason: null }]);
    }),
  );
});

it('reads any one line as a parser for CSV reads it, wherever its quotes stand', () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '""', '","'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(line, (text) => {
      const [record] = csvRecords(text);
      expect(record?.cells).toEqual(parsed(text));
    }),
    { numRuns: 500 },
  );
});

function parsed(line: string): string[] | null {
  try {
    return parse(line, { record_delimiter: '\n', relax_column_count: true, relax_quotes: true })[0] ?? null;
  } catch {
    return null;
  }
}
