import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLines } from '../../../platform/csv/csv-lines.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { listOpportunities, type OpportunityFilter, pagesOfOpportunities } from '../store.ts';
import { openCsv } from './csv-file.ts';
import { csvRecords } from './csv-records.ts';
import { exportCsv } from './export-csv.ts';
import { importDrafts } from './import-drafts.ts';

async function importText({ runtime }: TestRuntime, text: string) {
  const file = await openCsv([new TextEncoder().encode(text)]);
  if (file.kind === 'refused') throw new Error(file.reason);
  return importDrafts(runtime, file.rows());
}

async function exportText({ runtime }: TestRuntime, filter: OpportunityFilter = {}): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of exportCsv(pagesOfOpportunities(runtime.db, filter), (rows) => rows))
    pieces.push(csvLines(piece));
  return pieces.join('');
}

function line(ids: readonly string[], rest = '1,true,,'): string {
  const legs = ids.map((id, index) => ({ leg: index + 1, markets: [{ id, outcome: 'Yes' }] }));
  return `"${JSON.stringify(legs).replaceAll('"', '""')}",${rest}`;
}

const NOTHING_RESOLVED = { unknown: [], resolved: [], resolved_count: 0 };

/** The columns that import reads come first in an export. */
const IMPORTED_COLUMNS = 5;

async function exportedRecords(test: TestRuntime): Promise<string[][]> {
  return [...csvRecords([await exportText(test)], '\n')].map((record) => record?.cells ?? []);
}

const EVERYTHING = { skip: 0, limit: 1000, sortBy: 'content_hash', sortOrder: 'asc' } as const;
const HEADER = 'market_combinations,target_price,active,source,source_details';

describe('import and export', () => {
  it('report duplicates of the table and of rows further up, and never store one', async () => {
    await using test = await openTestRuntime();
    const first = await importText(test, [HEADER, line(['a', 'b']), line(['c'])].join('\n'));
    expect(first).toMatchObject({ duplicates: [], errors: [] });
    const [ab, c] = first.opportunity_ids;
    const second = await importText(
      test,
      [HEADER, line(['d']), line(['b', 'a'], '0.5,false,x,y'), line(['d'])].join('\n'),
    );
    const [d] = second.opportunity_ids;
    expect(second).toEqual({
      opportunity_ids: [expect.any(String)],
      duplicates: [
        { row: 2, opportunity_id: ab },
        { row: 3, opportunity_id: d },
      ],
      errors: [],
      ...NOTHING_RESOLVED,
    });
    expect((await exportText(test)).split('\r\n').filter(Boolean)).toHaveLength(4);
    expect(new Set([ab, c, d]).size).toBe(3);
  });

  it('let two imports of one file share the rows between them', async () => {
    await using test = await openTestRuntime();
    const text = [HEADER, ...Array.from({ length: 1200 }, (_, index) => line([`m${index}`]))].join('\n');
    const [one, other] = await Promise.all([importText(test, text), importText(test, text)]);
    const stored = new Set([...one.opportunity_ids, ...other.opportunity_ids]);
    expect(stored.size).toBe(1200);
    expect(one.opportunity_ids.length + one.duplicates.length).toBe(1200);
    expect(other.opportunity_ids.length + other.duplicates.length).toBe(1200);
  });

  it('read an export back to the same opportunities, in this table and in an empty one', async () => {
    await using test = await openTestRuntime();
    await using empty = await openTestRuntime();
    // Characters one by one: what fast-check offers lists all million of them first, which takes it seconds.
    const character = fc.oneof(fc.integer({ min: 1, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }));
    const text = fc.array(character, { maxLength: 40 }).map((points) => String.fromCodePoint(...points));
    const cells = fc.record({ price: fc.integer({ min: 1, max: 3_000_000 }), source: text, details: text });
    const [sample = []] = fc.sample(fc.array(cells, { minLength: 150, maxLength: 150 }), 1);
    const hostile = ['=1+1', "'=1", '-2', '@x', '\tx', '\rx', '＝x', 'a\r\nb', '"', ' edge ', ','];
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const rows = [
      ...hostile.map((source, index) =>
        line([`hostile-${index}`], `1,false,${quoted(`'${source}`)},${quoted(source)}`),
      ),
      ...sample.map(({ price, source, details }, index) =>
        line([`${index}`], `${price / 1_000_000},true,${quoted(source)},${quoted(details)}`),
      ),
    ];
    const { opportunity_ids: ids, errors } = await importText(test, [HEADER, ...rows].join('\n'));
    expect(errors).toEqual([]);
    const exported = await exportText(test);

    const again = await importText(test, exported);
    expect(again.opportunity_ids).toEqual([]);
    expect(again.errors).toEqual([]);
    expect(new Set(again.duplicates.map(({ opportunity_id: id }) => id))).toEqual(new Set(ids));

    await importText(empty, exported);
    const contents = async ({ runtime }: TestRuntime) => {
      const { rows: stored } = await listOpportunities(runtime.db, {}, EVERYTHING);
      return stored.map(({ contentHash, marketCombinations, targetPrice, active, source, sourceDetails }) => ({
        contentHash,
        marketCombinations,
        targetPrice,
        active,
        source,
        sourceDetails,
      }));
    };
    expect(await contents(empty)).toEqual(await contents(test));
  });

  it('carry 5,000 opportunities into an empty installation', async () => {
    await using test = await openTestRuntime();
    await using empty = await openTestRuntime();
    const rows = Array.from({ length: 5000 }, (_, index) =>
      line(
        [`a${index}`, `b${index % 70}`],
        `${1 - index / 10_000},${index % 3 > 0},=scanner ${index % 9},"a, ""b"" ${index}"`,
      ),
    );
    expect((await importText(test, [HEADER, ...rows].join('\n'))).errors).toEqual([]);
    const exported = await exportText(test);
    const moved = await importText(empty, exported);
    expect({ ...moved, opportunity_ids: moved.opportunity_ids.length }).toEqual({
      opportunity_ids: 5000,
      duplicates: [],
      errors: [],
      ...NOTHING_RESOLVED,
    });
    const carried = async (of: TestRuntime) =>
      (await exportedRecords(of)).map((record) => record.slice(0, IMPORTED_COLUMNS)).sort();
    const [before, after] = [await carried(test), await carried(empty)];
    expect(before).toHaveLength(5001);
    expect(JSON.stringify(after) === JSON.stringify(before)).toBe(true);
  });

  it('write no cell that a spreadsheet would run', async () => {
    await using test = await openTestRuntime();
    await importText(test, `${HEADER}\n${line(['a'], '1,true,=HYPERLINK("x"),+1')}`);
    const [, row = ''] = (await exportText(test)).split('\r\n');
    expect(row).toContain(`"'=HYPERLINK(""x"")","'+1"`);
  });

  it('export only what the filter asks for, oldest first over many pages', async () => {
    await using test = await openTestRuntime();
    for (const state of ['true', 'false']) {
      const rows = Array.from({ length: 700 }, (_, index) => line([`${state}-${index}`], `1,${state},,`));
      await importText(test, [HEADER, ...rows].join('\n'));
      await test.time.advance(5);
    }
    const inactive = (await exportText(test, { active: false })).trimEnd().split('\r\n');
    expect(inactive).toHaveLength(701);
    const all = (await exportText(test)).trimEnd().split('\r\n');
    expect(all).toHaveLength(1401);
    expect(all.slice(1, 701).every((row) => row.includes('"true"'))).toBe(true);
  });

  it('write a thousand positions at a time, however many there are', async () => {
    await using test = await openTestRuntime();
    const positions = (row: number) => Array.from({ length: 50 }, (_, index) => `m${row}-${index}`);
    await importText(test, [HEADER, ...Array.from({ length: 50 }, (_, row) => line(positions(row)))].join('\n'));
    const sizes: number[] = [];
    for await (const piece of exportCsv(pagesOfOpportunities(test.runtime.db, {}), (rows) => rows)) {
      sizes.push(piece.length);
    }
    expect(sizes).toEqual([1, 20, 20, 10]);
  });
});
