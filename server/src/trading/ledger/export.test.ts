import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { stated } from '@dutchbook/engine/ledger/history.fixture.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { csvLines } from '../../platform/csv/csv-lines.ts';
import { type LedgerSite, MICRO, openLedgerSite, type Row, START, trade } from './export.fixture.ts';
import { exportStatement } from './export-statement.ts';

let ledger: LedgerSite;
beforeEach(async () => {
  ledger = await openLedgerSite();
});
afterEach(() => ledger[Symbol.asyncDispose]());

describe('the statement', () => {
  it('has a row for each line, oldest first, and the total of each account', async () => {
    const { batchId, orderIds } = await ledger.batchWith([{ tokenId: '101', marketName: '=HYPERLINK("x")' }]);
    const [orderId = null] = orderIds;
    await ledger.enter([
      { kind: 'deposit', lines: stated('cash', 'usd', 100 * MICRO), statedBy: 'chief@example.com', reason: '=1+1' },
      {
        kind: 'settled',
        lines: trade('101', 10, -4, 0.1),
        batchId,
        orderId,
        tradeId: 't1',
        at: (START - 1) as Instant,
      },
    ]);
    const rows = await ledger.exported('export-csv');
    expect(rows.filter(({ row }) => row === 'entry').map((row) => [row.entry, row.account, row.amount])).toEqual([
      ['2', 'cash', '-4.1'],
      ['2', 'traded', '4'],
      ['2', 'fees', '0.1'],
      ['2', 'shares', '10'],
      ['2', 'traded', '-10'],
      ['1', 'cash', '100'],
      ['1', 'outside', '-100'],
    ]);
    expect(rows[0]).toMatchObject({
      ...{
        at: '2025-12-31T23:59:59.999Z',
        kind: 'settled',
        unit: 'usd',
        market_name: `'=HYPERLINK("x")`,
        outcome: 'Yes',
      },
      ...{ batch_id: batchId, order_id: orderId, trade_id: 't1', block: '' },
    });
    expect(rows[5]).toMatchObject({ stated_by: 'chief@example.com', reason: "'=1+1", market_name: '' });
    expect(rows.slice(7).map((row) => [row.row, row.account, row.unit, row.amount])).toEqual([
      ['total', 'cash', 'usd', '95.9'],
      ['total', 'fees', 'usd', '0.1'],
      ['total', 'outside', 'usd', '-100'],
      ['total', 'shares', '101', '10'],
      ['total', 'traded', '101', '-10'],
      ['total', 'traded', 'usd', '4'],
    ]);
  });

  it('has what the filters let through, of an account those lines alone', async () => {
    const { batchId } = await ledger.batchWith([{ tokenId: '101' }]);
    await ledger.enter([
      { kind: 'settled', lines: trade('101', 10, -4), batchId },
      { kind: 'settled', lines: trade('102', 10, -5) },
      { kind: 'deposit', lines: stated('cash', 'usd', MICRO) },
    ]);
    const reported = async (query: string) =>
      (await ledger.exported(`export-csv?${query}`)).map((row) => `${row.entry} ${row.account} ${row.amount}`);
    expect(await reported('account=cash')).toEqual(['1 cash -4', '2 cash -5', '3 cash 1', ' cash -8']);
    expect(await reported('unit=102')).toEqual(['2 shares 10', '2 traded -10', ' shares 10', ' traded -10']);
    expect(await reported('account=shares&unit=usd')).toEqual([]);
    expect(await reported('kind=deposit')).toEqual(['3 cash 1', '3 outside -1', ' cash 1', ' outside -1']);
    expect(await reported(`batch_id=${batchId}&account=cash`)).toEqual(['1 cash -4', ' cash -4']);
    expect(await reported('account=cash&since=2026-01-01T01:00:00Z&until=2026-01-01T02:00:00Z')).toEqual([
      '2 cash -5',
      ' cash -5',
    ]);
    const refused = await ledger.http.inject({
      url: '/api/v1/ledger/export-csv?account=gold',
      headers: ledger.headers,
    });
    expect(refused.statusCode).toBe(422);
  });

  it('is written in pages, many entries of one moment each once, and without those that come meanwhile', async () => {
    const entry = { kind: 'deposit' as const, lines: stated('cash', 'usd', 1), at: START };
    await ledger.enter(Array.from({ length: 2500 }, () => entry));
    const rows: string[][] = [];
    let pieces = 0;
    for await (const piece of exportStatement(ledger.test.runtime.db, {})) {
      if (pieces === 1) await ledger.enter([entry]);
      pieces += 1;
      rows.push(...piece);
    }
    const read = parse(csvLines(rows), { columns: true }) as Row[];
    expect(new Set(read.map((row) => row.entry)).size).toBe(2501);
    expect(read.at(-2)).toMatchObject({ row: 'total', account: 'cash', amount: '0.0025' });
  });
});

it('is not read on for a caller who has hung up', async () => {
  const { db } = ledger.test.runtime;
  const lines = JSON.stringify(stated('cash', 'usd', 1));
  await db.execute(sql`insert into ledger_entries (at, kind, lines)
    select now(), 'deposit', ${lines}::jsonb from generate_series(1, 50000)`);
  const reads = vi.spyOn(db, 'select');
  const url = await ledger.http.listen({ host: '127.0.0.1', port: 0 });
  const [answer] = (await once(
    request(`${url}/api/v1/ledger/export-csv`, { headers: ledger.headers }).end(),
    'response',
  )) as [IncomingMessage];
  await once(answer, 'data');
  answer.destroy();
  await expect
    .poll(
      async () => {
        const before = reads.mock.calls.length;
        await setTimeout(300);
        return reads.mock.calls.length - before;
      },
      { interval: 0 },
    )
    .toBe(0);
  // Of the fifty pages that there are.
  expect(reads.mock.calls.length).toBeLessThan(40);
  reads.mockRestore();
});
