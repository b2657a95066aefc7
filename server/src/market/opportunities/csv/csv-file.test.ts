import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defuse, restore } from '../../../platform/csv/formula-cells.ts';
import { openCsv } from './csv-file.ts';

const LEGS = '[{""leg"":1,""markets"":[{""id"":""rain"",""outcome"":""Yes""}]}]';
const GOOD = `"${LEGS}",0.95,true,desk,"a, b"`;
const HEADER = 'market_combinations,target_price,active,source,source_details';

/** The row numbers that were read, and those that were not with the reason. */
async function read(file: string | Uint8Array) {
  const opened = await openCsv([typeof file === 'string' ? new TextEncoder().encode(file) : file]);
  if (opened.kind === 'refused') return opened.reason;
  const good: number[] = [];
  const bad: Record<number, string> = {};
  for (const { row, result } of opened.rows()) {
    if (result.kind === 'draft') good.push(row);
    else bad[row] = `${result.kind === 'refused' ? result.field : result.kind}: ${result.reason}`;
  }
  return { good, bad };
}

async function drafts(file: string) {
  const opened = await openCsv([new TextEncoder().encode(file)]);
  if (opened.kind === 'refused') throw new Error(opened.reason);
  return [...opened.rows()].map(({ result }) => (result.kind === 'draft' ? result.draft : result));
}

describe('reading a CSV file', () => {
  it('takes every column, with its default where the cell or the column is not there', async () => {
    expect(await drafts(`${HEADER}\n${GOOD}`)).toMatchObject([
      { targetPrice: 950_000, active: true, source: 'desk', sourceDetails: 'a, b' },
    ]);
    const least = { targetPrice: 1_000_000, active: true, source: null, sourceDetails: null };
    expect(await drafts(`market_combinations\n"${LEGS}"`)).toMatchObject([least]);
    expect(await drafts(`${HEADER}\n"${LEGS}",,,,`)).toMatchObject([least]);
  });

  it('leaves alone what a spreadsheet does to a file', async () => {
    const header = '\ufeffActive, Market_Combinations ,remarks';
    expect(await read(`${header}\r\nTRUE,"${LEGS}",x\r\n\r\nFALSE,"${LEGS}",\r\n,,\r\n`)).toEqual({
      good: [1, 3],
      bad: {},
    });
    expect(await read(`${HEADER}\r${GOOD}\r${GOOD}`)).toEqual({ good: [1, 2], bad: {} });
    expect(
      await read(`market_combinations\n"[\n {""leg"":1,\n  ""markets"":[{""id"":""a"",""outcome"":""No""}]}\n]"`),
    ).toEqual({
      good: [1],
      bad: {},
    });
  });

  it.each([
    ['no JSON', 'rain and snow,1,true,,', 'market_combinations: Is not JSON'],
    ['an empty set', '[],1,true,,', 'market_combinations: At least one leg is needed'],
    [
      'JSON without quotes',
      '[{"leg":1,"markets":[{"id":"a","outcome":"Yes"}]}],1,1,s,d,x',
      /^null: Has \d+ cells under 5/,
    ],
    ['a price in words', `"${LEGS}",a lot,true,,`, 'target_price: Is not a number'],
    ['a decimal comma', `"${LEGS}","0,95",true,,`, 'target_price: Is not a number'],
    ['a price of nothing', `"${LEGS}",0,true,,`, 'target_price: target_price must be greater than 0'],
    ['a negative price', `"${LEGS}",-1,true,,`, /^target_price: /],
    ['a huge price', `"${LEGS}",9999999999,true,,`, /^target_price: /],
    ['a flag that is none', `"${LEGS}",1,perhaps,,`, 'active: Is neither true nor false'],
    ['a NUL', `"${LEGS}",1,true,a\0b,`, 'source: Contains a NUL character or half a character'],
    ['an escaped NUL', `"${LEGS.replace('rain', '\\u0000')}",1,true,,`, /^market_combinations: Contains a NUL/],
    ['half a character', `"${LEGS.replace('rain', '\\ud800')}",1,true,,`, /^market_combinations: Contains a NUL/],
    [
      'a blank id',
      `"${LEGS.replace('rain', '  ')}",1,true,,`,
      'market_combinations: A market id or an outcome is blank',
    ],
    [
      'an id that no venue has',
      `"${LEGS.replace('rain', 'ra in')}",1,true,,`,
      'market_combinations: A market id must be of letters, digits and . _ : + = / - only',
    ],
    ['an unknown key', `"${LEGS.replace('""leg""', '""lag""')}",1,true,,`, /^market_combinations\[0\]/],
    ['a long source', `"${LEGS}",1,true,${'x'.repeat(201)},`, /^source: /],
    ['a quote left open', `"${LEGS},1,true,,`, 'null: A quote is opened and never closed'],
    ['an endless cell', `"${LEGS}",1,true,${'x'.repeat(70_000)},`, 'null: The row is longer than 65536 characters'],
  ])('names %s and goes on with the rows around it', async (_case, line, reason) => {
    const opened = await read([HEADER, GOOD, line, GOOD, GOOD].join('\n'));
    expect(opened).toEqual({
      good: [1, 3, 4],
      bad: { 2: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
    });
  });

  it('knows one position under two spellings', async () => {
    const twice = '[{""leg"":1,""markets"":[{""id"":""a"",""outcome"":""Yes""},{""id"":"" a"",""outcome"":""yes""}]}]';
    expect(await read(`market_combinations\n"${twice}"`)).toMatchObject({
      bad: { 1: 'market_combinations: The same market and outcome stands twice' },
    });
  });

  it.each([
    ['nothing', '', 'The file is empty'],
    ['blanks', ' \r\n\n', 'The file is empty'],
    ['no header', GOOD, 'The header must name the column market_combinations'],
    ['semicolons', HEADER.replaceAll(',', ';'), /separated by commas, not semicolons\./],
    ['a doubled column', `${HEADER},source`, 'The header names the column source twice'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${HEADER}\n${GOOD}`, 'utf16le'), /not UTF-8/],
    ['UTF-16 without one', Buffer.from(`${HEADER}\n${GOOD}`, 'utf16le'), /not UTF-8/],
    [
      'UTF-16 the other way round, with a mark',
      Buffer.from(`\ufeff${HEADER}\n${GOOD}`, 'utf16le').swap16(),
      /not UTF-8/,
    ],
    ['UTF-16 the other way round', Buffer.from(`${HEADER}\n${GOOD}`, 'utf16le').swap16(), /not UTF-8/],
    ['Latin-1', Buffer.from(`${HEADER}\n${GOOD.replace('desk', 'caf\u00e9')}`, 'latin1'), /not UTF-8/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), /not UTF-8/],
  ])('refuses a file of %s as a whole', async (_case, file, reason) => {
    expect(await read(file)).toMatch(reason);
  });

  it('shows an example of a row where the header lacks the column', async () => {
    const reason = await read('leg,market,outcome\n1,rain,Yes\n');
    expect(reason).toContain('The header must name the column market_combinations. For example:\n');
    const [, ...example] = String(reason).split('\n');
    expect(await read(example.join('\n'))).toEqual({ good: [1], bad: {} });
  });

  it.each([
    ["[{'leg': 1, 'markets': [{'id': 'rain', 'outcome': 'Yes'}]}]", { id: 'rain', outcome: 'Yes' }],
    [`[{'leg': 1, 'markets': [{'id': "rain", 'outcome': 'The "Cup"'}]}]`, { id: 'rain', outcome: 'The "Cup"' }],
    [`[{'leg': 1, 'markets': [{'id': 'None', 'outcome': "It's on"}]}]`, { id: 'None', outcome: "It's on" }],
    ["[{'leg': 1, 'markets': [{'id': 'True', 'outcome': 'None of \\'em'}]}]", { id: 'True', outcome: "None of 'em" }],
  ])('reads %s, as Python prints it', async (cell, market) => {
    expect(await drafts(`market_combinations\n"${cell.replaceAll('"', '""')}"`)).toMatchObject([
      { marketCombinations: [{ leg: 1, markets: [market] }] },
    ]);
  });

  it.each([
    ["[{'leg': 1, 'markets': None}]", /Invalid input|Expected|Input should/],
    ["[{'leg': 1", 'market_combinations: Is not JSON'],
    ["'".repeat(60_000), 'market_combinations: Is not JSON'],
    [`[${"{'a': 1}, ".repeat(2000)}]`, 'market_combinations: At most 50 positions'],
  ])('refuses %s, in little time', async (cell, reason) => {
    expect(await read(`market_combinations\n"${cell}"`)).toMatchObject({
      good: [],
      bad: { 1: expect.stringMatching(reason) },
    });
  });

  it('takes 50,000 rows and no more', async () => {
    const file = (rows: number) => `market_combinations\n${'[]\n'.repeat(rows)}`;
    expect(await read(file(50_001))).toBe('The file has more than 50,000 rows');
    expect(await read(file(50_000))).toMatchObject({ good: [] });
  });

  it('names the one bad row in 50,000', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `"${LEGS.replace('rain', `market-${index}`)}"`);
    const opened = await read(['\ufeffmarket_combinations', ...lines.with(30_000, '"[{""leg"":')].join('\r\n'));
    expect(opened).toMatchObject({ bad: { 30001: expect.any(String) } });
    expect(typeof opened === 'string' ? [] : opened.good).toHaveLength(49_999);
    expect(typeof opened === 'string' ? {} : Object.keys(opened.bad)).toEqual(['30001']);
  });

  it('reads 10 MB of NULs, of quotes and of one endless row without choking on them', async () => {
    expect(await read('\0'.repeat(10_000_000))).toMatch(/not UTF-8/);
    expect(await read(`${HEADER}\n${'"'.repeat(9_000_000)}`)).toMatchObject({
      good: [],
      bad: { 1: expect.any(String) },
    });
    expect(await read(`${HEADER}\n${'"\n'.repeat(40_000)}${GOOD}`)).toMatchObject({ good: [20_001] });
    expect(await read(`${HEADER}\n${'x,'.repeat(4_500_000)}`)).toMatchObject({
      good: [],
      bad: { 1: expect.any(String) },
    });
  });

  it.each([
    ['short lines', 'a\n'],
    ['nothing but empty lines', '\n'],
    ['quotes that are opened again and again', '"\n'],
    ['quotes that are never closed well', '"a\n,"\n'],
    ['one quote in many lines', `"${'a\n'.repeat(50_000)}`],
  ])('yields to the event loop all the way through 10 MB of %s', async (_case, piece) => {
    const body = piece.repeat(Math.floor(9_900_000 / piece.length));
    let ticks = 0;
    const count = () => {
      ticks += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const opened = await openCsv([Buffer.from(`${HEADER}\n${body}`)]);
    clearImmediate(counting);
    const rowsRead = opened.kind === 'rows' ? body.split('\n').length : 50_000;
    expect(ticks).toBeGreaterThan((Math.min(rowsRead, body.length) * 50) / 65_536 / 2);
  });

  it('costs a row at most for a quote that is out of place, wherever it is', async () => {
    const lines = Array.from({ length: 12 }, () => GOOD);
    await fc.assert(
      fc.asyncProperty(fc.nat(11), fc.nat(GOOD.length), async (row, place) => {
        const broken = lines.with(row, `${GOOD.slice(0, place)}"${GOOD.slice(place)}`);
        const opened = await read([HEADER, ...broken].join('\n'));
        expect(typeof opened === 'string' ? [] : opened.good.length).toBeGreaterThanOrEqual(11);
      }),
    );
  });
});

describe('cells that look like formulas', () => {
  it('are no formulas in a spreadsheet and the same text after the way back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^['=+\-@\t\r\n＝a1]*$/), (text) => {
        expect(defuse(text)).not.toMatch(/^[=+\-@\t\r\n＝]/);
        expect(restore(defuse(text))).toBe(text);
      }),
    );
  });
});
