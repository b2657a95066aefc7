import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { linesOfArrival, linesOfLost, linesOfNaming } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import { converted, randomHistory, stated, traded } from '@dutchbook/engine/ledger/history.fixture.ts';
import { profitOf } from '@dutchbook/engine/ledger/profit.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { microFromText, microToText } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { parse } from 'csv-parse/sync';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { chainSteps, chainSubmissions } from '../chain-steps/table.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { batchOrders } from '../orders/table.ts';
import { registerLedgerExports } from './export-routes.ts';
import { exportStatement } from './export-statement.ts';
import { ledgerEntries } from './table.ts';

type Row = Record<string, string>;
type NewEntry = Pick<typeof ledgerEntries.$inferInsert, 'kind' | 'lines'> & Partial<typeof ledgerEntries.$inferInsert>;

const MICRO = 1_000_000;
const START = instantFromIso('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

let site: TestApp;
let headers: Record<string, string>;

beforeEach(async () => {
  site = await openTestApp({ variables: { VENUE: 'simulated' } });
  registerLedgerExports(site.app, site.test.runtime);
  ({ headers } = await site.signedIn());
});
afterEach(() => site[Symbol.asyncDispose]());

async function exported(path: string): Promise<Row[]> {
  const { statusCode, body, headers: said } = await site.http.inject({ url: `/api/v1/ledger/${path}`, headers });
  expect([statusCode, said['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(said['content-disposition']).toMatch(/^attachment; filename="(ledger|tax)_2026-01-01.csv"$/);
  return parse(body, { columns: true }) as Row[];
}

/** An hour after the other, unless said. */
async function enter(entries: readonly NewEntry[]): Promise<void> {
  const rows = entries.map((entry, place) => ({ at: (START + place * 3_600_000) as Instant, ...entry }));
  for (let from = 0; from < rows.length; from += 500)
    await site.test.runtime.db.insert(ledgerEntries).values(rows.slice(from, from + 500));
}

const trade = (token: string, shares: number, dollars: number, fee = 0): LedgerLine[] =>
  traded(token, shares * MICRO, Math.round(dollars * MICRO), Math.round(fee * MICRO), 'held');
const call = (token: string, shares: number, dollars: number) => converted(token, shares * MICRO, dollars * MICRO);

const disposalsOf = (rows: readonly Row[]) =>
  rows
    .filter(({ row }) => row === 'disposal')
    .map(
      (row) =>
        `${row.disposed_by} ${row.quantity} ${row.token_id}: ${row.cost_usd} -> ${row.proceeds_usd} = ${row.gain_usd}`,
    );
const totalsOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.filter(({ row }) => row === 'total').map((row) => [row.note, row.gain_usd]));
const PROFIT = 'Profit of the ledger: the sum of these';

/** A batch with an order of each of these tokens, changed as what happened to them would have left them. */
async function batchWith(
  changed: readonly Partial<typeof batchOrders.$inferInsert>[],
): Promise<{ batchId: string; orderIds: string[] }> {
  const { db } = site.test.runtime;
  const batchId = await recordedBatch(
    site.test,
    {},
    changed.map(({ tokenId }) => tokenId ?? ''),
  );
  const orders = await db
    .select()
    .from(batchOrders)
    .where(eq(batchOrders.batchId, batchId))
    .orderBy(batchOrders.ordinal);
  for (const [place, { id }] of orders.entries())
    await db
      .update(batchOrders)
      .set(changed[place] ?? {})
      .where(eq(batchOrders.id, id));
  return { batchId, orderIds: orders.map(({ id }) => id) };
}

describe('the statement', () => {
  it('has a row for each line, oldest first, and the total of each account', async () => {
    const { batchId, orderIds } = await batchWith([{ tokenId: '101', marketName: '=HYPERLINK("x")' }]);
    const [orderId = null] = orderIds;
    await enter([
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
    const rows = await exported('export-csv');
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
    const { batchId } = await batchWith([{ tokenId: '101' }]);
    await enter([
      { kind: 'settled', lines: trade('101', 10, -4), batchId },
      { kind: 'settled', lines: trade('102', 10, -5) },
      { kind: 'deposit', lines: stated('cash', 'usd', MICRO) },
    ]);
    const reported = async (query: string) =>
      (await exported(`export-csv?${query}`)).map((row) => `${row.entry} ${row.account} ${row.amount}`);
    expect(await reported('account=cash')).toEqual(['1 cash -4', '2 cash -5', '3 cash 1', ' cash -8']);
    expect(await reported('unit=102')).toEqual(['2 shares 10', '2 traded -10', ' shares 10', ' traded -10']);
    expect(await reported('account=shares&unit=usd')).toEqual([]);
    expect(await reported('kind=deposit')).toEqual(['3 cash 1', '3 outside -1', ' cash 1', ' outside -1']);
    expect(await reported(`batch_id=${batchId}&account=cash`)).toEqual(['1 cash -4', ' cash -4']);
    expect(await reported('account=cash&since=2026-01-01T01:00:00Z&until=2026-01-01T02:00:00Z')).toEqual([
      '2 cash -5',
      ' cash -5',
    ]);
    const refused = await site.http.inject({ url: '/api/v1/ledger/export-csv?account=gold', headers });
    expect(refused.statusCode).toBe(422);
  });

  it('is written in pages, many entries of one moment each once, and without those that come meanwhile', async () => {
    const entry = { kind: 'deposit' as const, lines: stated('cash', 'usd', 1), at: START };
    await enter(Array.from({ length: 2500 }, () => entry));
    const rows: string[] = [];
    for await (const piece of exportStatement(site.test.runtime.db, {})) {
      if (rows.length === 1) await enter([entry]);
      rows.push(piece);
    }
    const read = parse(rows.join(''), { columns: true }) as Row[];
    expect(new Set(read.map((row) => row.entry)).size).toBe(2501);
    expect(read.at(-2)).toMatchObject({ row: 'total', account: 'cash', amount: '0.0025' });
  });
});

it('is not read on for somebody who has hung up', async () => {
  const { db } = site.test.runtime;
  const lines = JSON.stringify(stated('cash', 'usd', 1));
  await db.execute(sql`insert into ledger_entries (at, kind, lines)
    select now(), 'deposit', ${lines}::jsonb from generate_series(1, 50000)`);
  const reads = vi.spyOn(db, 'select');
  const url = await site.http.listen({ host: '127.0.0.1', port: 0 });
  const [answer] = (await once(request(`${url}/api/v1/ledger/export-csv`, { headers }).end(), 'response')) as [
    IncomingMessage,
  ];
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

describe('the file for the tax', () => {
  it('has every disposal, first in, first out, with fees and how long it was held', async () => {
    const { batchId, orderIds } = await batchWith([{ tokenId: '101', marketName: '+Rain?' }]);
    const [orderId = null] = orderIds;
    await enter([
      { kind: 'settled', lines: trade('101', 10, -4, 0.1), batchId, orderId },
      { kind: 'settled', lines: trade('101', 10, -5), at: (START + 365 * DAY_MS) as Instant },
      { kind: 'matched', lines: trade('101', -15, 9, 0.3), at: (START + 366 * DAY_MS) as Instant },
      { kind: 'gas', lines: [{ account: 'gas', unit: 'pol', amount: 7 }], at: (START + 366 * DAY_MS) as Instant },
    ]);
    const rows = await exported('tax-csv');
    expect(rows.slice(0, 2)).toMatchObject([
      {
        ...{ acquired_at: '2026-01-01T00:00:00.000Z', disposed_at: '2027-01-02T00:00:00.000Z', market_name: "'+Rain?" },
        ...{
          outcome: 'Yes',
          venue: 'simulated',
          quantity: '10',
          cost_usd: '4.1',
          proceeds_usd: '5.8',
          gain_usd: '1.7',
        },
        ...{ method: 'FIFO', days_held: '366', term: 'long', disposed_by: 'sale', token_id: '101' },
        ...{ acquisition_entry: '1', disposal_entry: '3' },
      },
      { quantity: '5', cost_usd: '2.5', proceeds_usd: '2.9', gain_usd: '0.4', days_held: '1', term: 'short' },
    ]);
    expect(totalsOf(rows)).toMatchObject({
      'All disposals in this file': '2.1',
      'What is still held has cost': '-2.5',
      [PROFIT]: '-0.4',
    });
    expect(rows.find(({ note }) => note === 'Gas, in pol')).toMatchObject({ row: 'total', quantity: '0.000007' });
    expect(rows.filter(({ row }) => row === 'note').map(({ note }) => note)[0]).toMatch(/no tax advice/);
  });

  it('has rewards and rebates as income by when they came, also where they were named later, and not in the profit', async () => {
    const day = (nth: number) => (START + nth * DAY_MS) as Instant;
    await enter([
      { at: day(0), kind: 'unknown', lines: linesOfArrival('unknown', 10 * MICRO), sender: `0x${'5'.repeat(40)}` },
      { at: day(1), kind: 'rebate', lines: linesOfArrival('rebate', 250_001) },
      { at: day(1), kind: 'unknown', lines: linesOfArrival('unknown', 2 * MICRO) },
      { at: day(9), kind: 'reward', lines: linesOfNaming('reward', 10 * MICRO), namesEntryId: 1, reason: 'Announced' },
    ]);
    const income = (rows: readonly Row[]) =>
      rows
        .filter(({ row }) => row === 'income')
        .map((row) => [
          row.disposed_at?.slice(0, 10),
          row.disposed_by,
          row.proceeds_usd,
          row.gain_usd,
          row.disposal_entry,
        ]);
    const all = [
      ['2026-01-02', 'rebate', '0.250001', '0.250001', '2'],
      ['2026-01-01', 'reward', '10', '10', '4'],
    ];
    const whole = await exported('tax-csv');
    expect(income(whole)).toEqual(all);
    expect(totalsOf(whole)).toMatchObject({
      [PROFIT]: '0',
      Rewards: '10',
      Rebates: '0.250001',
      'Dollars of unknown origin': '2',
    });
    expect(income(await exported('tax-csv?until=2026-01-03T00:00:00Z'))).toEqual(all);
    expect(income(await exported('tax-csv?until=2026-01-02T00:00:00Z'))).toEqual(all.slice(1));
    expect(income(await exported('tax-csv?since=2026-01-02T00:00:00Z'))).toEqual(all.slice(0, 1));
    const statement = await exported('export-csv?account=income');
    expect(statement.map(({ kind, sender, names_entry }) => [kind, sender, names_entry])).toEqual([
      ['rebate', '', ''],
      ['reward', '', '1'],
      ['', '', ''],
    ]);
  });

  it('has of a period its disposals alone, and totals that lead to the profit until its end', async () => {
    const undone = { tradeId: 'u', orderHash: 'h', batchId: crypto.randomUUID() };
    await enter([
      { kind: 'settled', lines: trade('101', 30, -12) },
      { kind: 'settled', lines: trade('101', -10, 5) },
      { kind: 'settled', lines: trade('101', -10, 7) },
      { kind: 'matched', lines: trade('101', -10, 9), ...undone },
      { kind: 'undone', lines: trade('101', 10, -9), ...undone },
      { kind: 'settled', lines: trade('101', -10, 8) },
    ]);
    const rows = await exported('tax-csv?since=2026-01-01T02:00:00Z&until=2026-01-01T04:00:00Z');
    expect(disposalsOf(rows)).toEqual(['sale 10 101: 4 -> 7 = 3']);
    expect(totalsOf(rows)).toEqual({
      'All disposals in this file': '3',
      'Disposals before it': '1',
      'What is still held has cost': '-4',
      'Trades that were taken back or corrected after the period': '9',
      [PROFIT]: '9',
    });
    expect(totalsOf(await exported('tax-csv'))[PROFIT]).toBe('8');
  });

  it('has a trade as it was reported last, in shares and in dollars, from when it was first reported', async () => {
    const of = (tradeId: string) => ({ tradeId, orderHash: 'h', batchId: crypto.randomUUID() });
    const [bought, sold] = [of('bought'), of('sold')];
    await enter([
      { kind: 'settled', lines: trade('101', 5, -1) },
      { kind: 'matched', lines: trade('101', 10, -4, 0.1), ...bought },
      { kind: 'matched', lines: trade('101', -10, 7), ...sold },
      { kind: 'correction', lines: trade('101', 2, -0.8, 0.02), ...bought },
      { kind: 'correction', lines: trade('101', -1, 0.5), ...sold },
    ]);
    const rows = await exported('tax-csv');
    expect(disposalsOf(rows)).toEqual(['sale 5 101: 1 -> 3.40909 = 2.40909', 'sale 6 101: 2.46 -> 4.09091 = 1.63091']);
    expect(totalsOf(rows)).toEqual({
      'All disposals in this file': '4.04',
      'What is still held has cost': '-2.46',
      [PROFIT]: '1.58',
    });
    const early = totalsOf(await exported('tax-csv?until=2026-01-01T03:00:00Z'));
    expect(early).toMatchObject({
      'Trades that were taken back or corrected after the period': '0.32',
      [PROFIT]: '1.9',
    });
  });

  it('closes for nothing what was bought of an outcome that has lost, where nothing is redeemed beside it', async () => {
    await enter([
      { kind: 'settled', lines: trade('101', 10, -4) },
      { kind: 'lost', lines: linesOfLost('101', 10 * MICRO) },
      { kind: 'redeem', lines: stated('shares', '101', -10 * MICRO) },
    ]);
    const rows = await exported('tax-csv');
    expect(disposalsOf(rows)).toEqual(['lost 10 101: 4 -> 0 = -4']);
    expect(totalsOf(rows)).toEqual({
      'All disposals in this file': '-4',
      'What is still held has cost': '0',
      [PROFIT]: '-4',
    });
  });

  it('hands the cost of a conversion on, and writes off what pays nothing with what is redeemed beside it', async () => {
    const { db, random, clock } = site.test.runtime;
    const now = clock.now();
    const [submissionId, stepId] = [random.uuid(), random.uuid()];
    const ofStep = { chainStepId: stepId };
    const { batchId, orderIds } = await batchWith([
      { tokenId: 'no-a', ...ofStep, side: 'sell' },
      { tokenId: 'no-b', ...ofStep, side: 'sell' },
      { tokenId: 'yes-c', ...ofStep },
      { tokenId: 'lost', marketId: 'another', resolvedValue: 0 as Price },
    ]);
    const shares = (10 * MICRO) as Shares;
    await db.insert(chainSubmissions).values({
      ...{ id: submissionId, requestId: random.uuid(), purpose: 'cash_now', status: 'confirmed', automatic: false },
      ...{ batchIds: [batchId], expected: 0 as Usd, createdAt: now },
    });
    const part = { orderId: '', batchId, shares, dollars: 0 as Usd };
    const received = { leg: 1, marketId: 'm', marketName: 'm', tokenId: 'yes-c', outcome: 'Yes' };
    await db.insert(chainSteps).values({
      ...{ id: stepId, submissionId, ordinal: 0, kind: 'convert', marketIds: [], marketNames: [], shares, changes: [] },
      ...{ expected: 0 as Usd, parts: [part, part], handedOut: [{ orderId: '', batchId, shares, ...received }] },
    });
    const entryOf = (place: number) => ({ batchId, orderId: orderIds[place] ?? null, submissionId });
    await enter([
      { kind: 'settled', lines: trade('no-a', 10, -7) },
      { kind: 'settled', lines: trade('no-b', 10, -6) },
      { kind: 'settled', lines: trade('lost', 5, -2), ...entryOf(3) },
      { kind: 'convert', lines: call('no-a', -10, 5), ...entryOf(0) },
      { kind: 'convert', lines: call('yes-c', 10, 0), ...entryOf(2) },
      { kind: 'convert', lines: call('no-b', -10, 5), ...entryOf(1) },
      { kind: 'redeem', lines: call('yes-c', -4, 4), ...entryOf(2) },
      { kind: 'redeem', lines: call('yes-c', -6, 6), ...entryOf(2) },
    ]);
    const rows = await exported('tax-csv');
    expect(disposalsOf(rows)).toEqual([
      'convert 10 no-a: 7 -> 7 = 0',
      'convert 10 no-b: 6 -> 6 = 0',
      'redeem 4 yes-c: 1.2 -> 4 = 2.8',
      'redeem 6 yes-c: 1.8 -> 6 = 4.2',
      'lost 5 lost: 2 -> 0 = -2',
    ]);
    expect(totalsOf(rows)).toMatchObject({ 'All disposals in this file': '5', [PROFIT]: '5' });
  });

  it('gives the outcomes of a split the same cost where that is asked for', async () => {
    const { db, random, clock } = site.test.runtime;
    const [submissionId, stepId] = [random.uuid(), random.uuid()];
    const { batchId, orderIds } = await batchWith(['yes', 'no'].map((tokenId) => ({ tokenId, chainStepId: stepId })));
    await db.insert(chainSubmissions).values({
      ...{ id: submissionId, requestId: random.uuid(), purpose: 'split', status: 'confirmed', automatic: false },
      ...{ batchIds: [batchId], expected: 0 as Usd, createdAt: clock.now() },
    });
    const received = {
      orderId: '',
      batchId,
      leg: 1,
      marketId: 'm',
      marketName: 'm',
      tokenId: '',
      outcome: '',
      shares: 0 as Shares,
    };
    await db.insert(chainSteps).values({
      ...{ id: stepId, submissionId, ordinal: 0, kind: 'split', marketIds: [], marketNames: [], shares: 0 as Shares },
      ...{ expected: 0 as Usd, changes: [], parts: [], handedOut: [received, received] },
    });
    await enter([
      { kind: 'split', lines: call('yes', 10, -7), batchId, orderId: orderIds[0] ?? null },
      { kind: 'split', lines: call('no', 10, -3), batchId, orderId: orderIds[1] ?? null },
      { kind: 'settled', lines: trade('yes', -10, 8) },
    ]);
    expect(disposalsOf(await exported('tax-csv'))).toEqual(['sale 10 yes: 7 -> 8 = 1']);
    expect(disposalsOf(await exported('tax-csv?split_basis=half'))).toEqual(['sale 10 yes: 5 -> 8 = 3']);
    const refused = await site.http.inject({ url: '/api/v1/ledger/tax-csv?split_basis=third', headers });
    expect(refused.statusCode).toBe(422);
  });

  it.each([1, 2, 3])(
    'equals the profit of the ledger exactly, as the sum of its rows and totals (history %i)',
    async (seed) => {
      const entries = randomHistory(seed, false);
      const batchId = crypto.randomUUID();
      await enter(
        entries.map(({ kind, lines, trade: tradeId }) => ({
          ...{ kind, lines: [...lines] },
          ...(tradeId !== null && { tradeId, orderHash: 'h', batchId }),
        })),
      );
      const profit = microToText(entries.reduce((sum, { lines }) => sum + profitOf(lines), 0));
      const rows = await exported('tax-csv');
      const { [PROFIT]: reported, 'All disposals in this file': gain = '', ...others } = totalsOf(rows);
      expect(reported).toBe(profit);
      const micro = (texts: (string | undefined)[]) =>
        texts.reduce((sum, text) => sum + (text ? microFromText(text, 'gain') : 0), 0);
      expect(microToText(micro([gain, ...Object.values(others)]))).toBe(profit);
      expect(micro(rows.filter(({ row }) => row === 'disposal').map((row) => row.gain_usd))).toBe(micro([gain]));
    },
  );
});
