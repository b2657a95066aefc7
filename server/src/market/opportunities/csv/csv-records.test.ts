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
      expect([...csvRecords([written.map(quoted).join(',')], '\n')]).toMatchObject([{ cells: written, reason: null }]);
    }),
  );
});

it('reads any one line as a parser for CSV reads it, wherever its quotes stand', () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '""', '","'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(line, (text) => {
      const [record] = csvRecords([text], '\n');
      expect(record?.cells).toEqual(parsed(text));
    }),
    { numRuns: 500 },
  );
});

it('reads the same records however the text is cut into pieces', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', '"\n', '"a\n', 'x'.repeat(40_000)),
    maxLength: 20,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(100_000), { maxLength: 5 }), (whole, places) => {
      const cuts = [0, ...places.toSorted((a, b) => a - b), whole.length];
      const pieces = cuts.slice(1).map((end, index) => whole.slice(cuts[index], end));
      const read = (from: Iterable<string>) => [...csvRecords(from, '\n')].filter((record) => record !== null);
      const withoutLength = (records: ReturnType<typeof read>) =>
        records.map(({ cells, reason }) => ({ cells, reason }));
      expect(withoutLength(read(pieces))).toEqual(withoutLength(read([whole])));
    }),
  );
});

it('looks at a bounded part of a text between two results, whatever the text is', () => {
  const unit = fc.constantFrom(
    'a',
    '"',
    ',',
    '\n',
    '"\n',
    '"a\n',
    'a"b\n',
    `"${'a\n'.repeat(3000)}`,
    'x'.repeat(30_000),
  );
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 65_536 }), (units, size) => {
      const pattern = units.join('');
      const text = pattern.repeat(Math.ceil(1_000_000 / pattern.length));
      let pulled = 0;
      const pieces = function* () {
        for (let from = 0; from < text.length; from += size) {
          pulled += size;
          yield text.slice(from, from + size);
        }
      };
      let most = 0;
      let results = 0;
      for (const _ of csvRecords(pieces(), '\n')) {
        most = Math.max(most, pulled);
        pulled = 0;
        results += 1;
        if (results > 2000) break;
      }
      expect(most).toBeLessThanOrEqual(65_538 + 2 * size);
    }),
    { numRuns: 50 },
  );
});

function parsed(line: string): string[] | null {
  try {
    return parse(line, { record_delimiter: '\n', relax_column_count: true, relax_quotes: true })[0] ?? null;
  } catch {
    return null;
  }
}
