import { linesOfArrival, linesOfLost, linesOfNaming } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { randomHistory, stated } from '@dutchbook/engine/ledger/history.fixture.ts';
import { profitOf } from '@dutchbook/engine/ledger/profit.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { microFromText, microToText } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainSteps, chainSubmissions } from '../chain-steps/table.ts';
import { call, type LedgerSite, MICRO, openLedgerSite, type Row, START, trade } from './export.fixture.ts';

const DAY_MS = 86_400_000;

let ledger: LedgerSite;
beforeEach(async () => {
  ledger = await openLedgerSite();
});
afterEach(() => ledger[Symbol.asyncDispose]());

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

describe('the file for the tax', () => {
  it('has every disposal, first in, first out, with fees and how long it was held', async () => {
    const { batchId, orderIds } = await ledger.batchWith([{ tokenId: '101', marketName: '+Rain?' }]);
    const [orderId = null] = orderIds;
    await ledger.enter([
      { kind: 'settled', lines: trade('101', 10, -4, 0.1), batchId, orderId },
      { kind: 'settled', lines: trade('101', 10, -5), at: (START + 365 * DAY_MS) as Instant },
      { kind: 'matched', lines: trade('101', -15, 9, 0.3), at: (START + 366 * DAY_MS) as Instant },
      { kind: 'gas', lines: [{ account: 'gas', unit: 'pol', amount: 7 }], at: (START + 366 * DAY_MS) as Instant },
    ]);
    const rows = await ledger.exported('tax-csv');
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
    await ledger.enter([
      {
        at: day(0),
        kind: 'unknown',
        lines: linesOfArrival('unknown', 10 * MICRO, 'polymarket'),
        sender: `0x${'5'.repeat(40)}`,
      },
      { at: day(1), kind: 'rebate', lines: linesOfArrival('rebate', 250_001, 'polymarket') },
      { at: day(1), kind: 'unknown', lines: linesOfArrival('unknown', 2 * MICRO, 'polymarket') },
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
    const whole = await ledger.exported('tax-csv');
    expect(income(whole)).toEqual(all);
    expect(totalsOf(whole)).toMatchObject({
      [PROFIT]: '0',
      Rewards: '10',
      Rebates: '0.250001',
      'Dollars of unknown origin': '2',
    });
    expect(income(await ledger.exported('tax-csv?until=2026-01-03T00:00:00Z'))).toEqual(all);
    expect(income(await ledger.exported('tax-csv?until=2026-01-02T00:00:00Z'))).toEqual(all.slice(1));
    expect(income(await ledger.exported('tax-csv?since=2026-01-02T00:00:00Z'))).toEqual(all.slice(0, 1));
    const statement = await ledger.exported('export-csv?account=income');
    expect(statement.map(({ kind, sender, names_entry }) => [kind, sender, names_entry])).toEqual([
      ['rebate', '', ''],
      ['reward', '', '1'],
      ['', '', ''],
    ]);
  });

  it('has of a period its disposals alone, and totals that lead to the profit until its end', async () => {
    const undone = { tradeId: 'u', orderHash: 'h', batchId: crypto.randomUUID() };
    await ledger.enter([
      { kind: 'settled', lines: trade('101', 30, -12) },
      { kind: 'settled', lines: trade('101', -10, 5) },
      { kind: 'settled', lines: trade('101', -10, 7) },
      { kind: 'matched', lines: trade('101', -10, 9), ...undone },
      { kind: 'undone', lines: trade('101', 10, -9), ...undone },
      { kind: 'settled', lines: trade('101', -10, 8) },
    ]);
    const rows = await ledger.exported('tax-csv?since=2026-01-01T02:00:00Z&until=2026-01-01T04:00:00Z');
    expect(disposalsOf(rows)).toEqual(['sale 10 101: 4 -> 7 = 3']);
    expect(totalsOf(rows)).toEqual({
      'All disposals in this file': '3',
      'Disposals before it': '1',
      'What is still held has cost': '-4',
      'Trades that were taken back or corrected after the period': '9',
      [PROFIT]: '9',
    });
    expect(totalsOf(await ledger.exported('tax-csv'))[PROFIT]).toBe('8');
  });

  it('has a trade as it was reported last, in shares and in dollars, from when it was first reported', async () => {
    const of = (tradeId: string) => ({ tradeId, orderHash: 'h', batchId: crypto.randomUUID() });
    const [bought, sold] = [of('bought'), of('sold')];
    await ledger.enter([
      { kind: 'settled', lines: trade('101', 5, -1) },
      { kind: 'matched', lines: trade('101', 10, -4, 0.1), ...bought },
      { kind: 'matched', lines: trade('101', -10, 7), ...sold },
      { kind: 'correction', lines: trade('101', 2, -0.8, 0.02), ...bought },
      { kind: 'correction', lines: trade('101', -1, 0.5), ...sold },
    ]);
    const rows = await ledger.exported('tax-csv');
    expect(disposalsOf(rows)).toEqual(['sale 5 101: 1 -> 3.40909 = 2.40909', 'sale 6 101: 2.46 -> 4.09091 = 1.63091']);
    expect(totalsOf(rows)).toEqual({
      'All disposals in this file': '4.04',
      'What is still held has cost': '-2.46',
      [PROFIT]: '1.58',
    });
    const early = totalsOf(await ledger.exported('tax-csv?until=2026-01-01T03:00:00Z'));
    expect(early).toMatchObject({
      'Trades that were taken back or corrected after the period': '0.32',
      [PROFIT]: '1.9',
    });
  });

  it('closes for nothing what was bought of an outcome that has lost, where nothing is redeemed beside it', async () => {
    await ledger.enter([
      { kind: 'settled', lines: trade('101', 10, -4) },
      { kind: 'lost', lines: linesOfLost('101', 10 * MICRO) },
      { kind: 'redeem', lines: stated('shares', '101', -10 * MICRO) },
    ]);
    const rows = await ledger.exported('tax-csv');
    expect(disposalsOf(rows)).toEqual(['lost 10 101: 4 -> 0 = -4']);
    expect(totalsOf(rows)).toEqual({
      'All disposals in this file': '-4',
      'What is still held has cost': '0',
      [PROFIT]: '-4',
    });
  });

  it('hands the cost of a conversion on, and writes off what pays nothing with what is redeemed beside it', async () => {
    const { db, random, clock } = ledger.test.runtime;
    const now = clock.now();
    const [submissionId, stepId] = [random.uuid(), random.uuid()];
    const ofStep = { chainStepId: stepId };
    const { batchId, orderIds } = await ledger.batchWith([
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
    await ledger.enter([
      { kind: 'settled', lines: trade('no-a', 10, -7) },
      { kind: 'settled', lines: trade('no-b', 10, -6) },
      { kind: 'settled', lines: trade('lost', 5, -2), ...entryOf(3) },
      { kind: 'convert', lines: call('no-a', -10, 5), ...entryOf(0) },
      { kind: 'convert', lines: call('yes-c', 10, 0), ...entryOf(2) },
      { kind: 'convert', lines: call('no-b', -10, 5), ...entryOf(1) },
      { kind: 'redeem', lines: call('yes-c', -4, 4), ...entryOf(2) },
      { kind: 'redeem', lines: call('yes-c', -6, 6), ...entryOf(2) },
    ]);
    const rows = await ledger.exported('tax-csv');
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
    const { db, random, clock } = ledger.test.runtime;
    const [submissionId, stepId] = [random.uuid(), random.uuid()];
    const { batchId, orderIds } = await ledger.batchWith(
      ['yes', 'no'].map((tokenId) => ({ tokenId, chainStepId: stepId })),
    );
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
    await ledger.enter([
      { kind: 'split', lines: call('yes', 10, -7), batchId, orderId: orderIds[0] ?? null },
      { kind: 'split', lines: call('no', 10, -3), batchId, orderId: orderIds[1] ?? null },
      { kind: 'settled', lines: trade('yes', -10, 8) },
    ]);
    expect(disposalsOf(await ledger.exported('tax-csv'))).toEqual(['sale 10 yes: 7 -> 8 = 1']);
    expect(disposalsOf(await ledger.exported('tax-csv?split_basis=half'))).toEqual(['sale 10 yes: 5 -> 8 = 3']);
    const refused = await ledger.http.inject({
      url: '/api/v1/ledger/tax-csv?split_basis=third',
      headers: ledger.headers,
    });
    expect(refused.statusCode).toBe(422);
  });

  it.each([1, 2, 3])(
    'equals the profit of the ledger exactly, as the sum of its rows and totals (history %i)',
    async (seed) => {
      const entries = randomHistory(seed, false);
      const batchId = crypto.randomUUID();
      await ledger.enter(
        entries.map(({ kind, lines, trade: tradeId }) => ({
          ...{ kind, lines: [...lines] },
          ...(tradeId !== null && { tradeId, orderHash: 'h', batchId }),
        })),
      );
      const profit = microToText(entries.reduce((sum, { lines }) => sum + profitOf(lines), 0));
      const rows = await ledger.exported('tax-csv');
      const { [PROFIT]: reported, 'All disposals in this file': gain = '', ...others } = totalsOf(rows);
      expect(reported).toBe(profit);
      const micro = (texts: (string | undefined)[]) =>
        texts.reduce((sum, text) => sum + (text ? microFromText(text, 'gain') : 0), 0);
      expect(microToText(micro([gain, ...Object.values(others)]))).toBe(profit);
      expect(micro(rows.filter(({ row }) => row === 'disposal').map((row) => row.gain_usd))).toBe(micro([gain]));
    },
  );
});
