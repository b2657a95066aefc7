import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import type { Settlement } from '../order/fill.ts';
import { linesFromOutside, linesOfArrival, linesOfGas, linesOfNaming } from './entries-from-outside.ts';
import { entryOfFill, type FillToBook } from './entries-of-fills.ts';
import { balanced, type LedgerLine } from './entry.ts';

function fill(settlement: Settlement, given: Partial<FillToBook> = {}): FillToBook {
  const size = 10_000_000 as Shares;
  return { side: 'buy', tokenId: '71', size, cost: 4_000_000 as Usd, fee: 50_000 as Usd, settlement, ...given };
}

/** Goes through reports of one fill as the ledger does. */
function bookedAfter(reports: readonly FillToBook[], call: 'merge' | null = null) {
  const entries: { kind: string; lines: LedgerLine[] }[] = [];
  for (const report of reports) {
    const lines = entries.flatMap((entry) => entry.lines);
    const entry = entryOfFill(report, lines, call);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

function balance(entries: readonly { lines: LedgerLine[] }[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, unit, amount } of entries.flatMap(({ lines }) => lines)) {
    const place = `${account} ${unit}`;
    sums[place] = (sums[place] ?? 0) + amount;
    if (sums[place] === 0) delete sums[place];
  }
  return sums;
}

const HELD = { 'cash usd': -4_050_000, 'fees usd': 50_000, 'traded usd': 4_000_000, 'shares 71': 10_000_000 };

describe('the entries of a fill', () => {
  it('owe and expect what is matched, and hold what is settled', () => {
    const [matched, settled] = bookedAfter([fill('matched'), fill('mined'), fill('confirmed')]);
    expect(matched).toEqual({
      kind: 'matched',
      lines: [
        { account: 'receivable', unit: 'usd', amount: -4_050_000 },
        { account: 'fees', unit: 'usd', amount: 50_000 },
        { account: 'traded', unit: 'usd', amount: 4_000_000 },
        { account: 'receivable', unit: '71', amount: 10_000_000 },
        { account: 'traded', unit: '71', amount: -10_000_000 },
      ],
    });
    expect(settled?.kind).toBe('settled');
    expect(balance([settled ?? { lines: [] }])).toEqual({
      'receivable usd': 4_050_000,
      'cash usd': -4_050_000,
      'receivable 71': -10_000_000,
      'shares 71': 10_000_000,
    });
  });

  it('are one for what is confirmed when it is first reported, and none for what has failed by then', () => {
    const entries = bookedAfter([fill('confirmed'), fill('confirmed')]);
    expect(entries.map(({ kind }) => kind)).toEqual(['settled']);
    expect(balance(entries)).toEqual({ ...HELD, 'traded 71': -10_000_000 });
    expect(bookedAfter([fill('failed')])).toEqual([]);
  });

  it.each([
    ['before it was settled', ['matched', 'failed'], ['matched', 'undone']],
    ['after it was settled', ['matched', 'confirmed', 'failed'], ['matched', 'settled', 'undone']],
  ] as const)('take back once what is undone %s', (_, settlements, kinds) => {
    const entries = bookedAfter([...settlements, 'failed' as const].map((settlement) => fill(settlement)));
    expect(entries.map(({ kind }) => kind)).toEqual(kinds);
    expect(balance(entries)).toEqual({});
  });

  it('hold what was confirmed after all', () => {
    const entries = bookedAfter([fill('matched'), fill('failed'), fill('confirmed')]);
    expect(entries.map(({ kind }) => kind)).toEqual(['matched', 'undone', 'settled']);
    expect(balance(entries)).toEqual({ ...HELD, 'traded 71': -10_000_000 });
  });

  it('follow a report that says more than the one before', () => {
    const more = { size: 12_000_000 as Shares, cost: 4_800_000 as Usd, fee: 60_000 as Usd };
    const entries = bookedAfter([fill('matched'), fill('matched', more), fill('confirmed', more)]);
    expect(entries.map(({ kind }) => kind)).toEqual(['matched', 'correction', 'settled']);
    expect(balance(entries)).toMatchObject({ 'cash usd': -4_860_000, 'fees usd': 60_000, 'shares 71': 12_000_000 });
    expect(balance(entries)).not.toHaveProperty('receivable usd');
  });

  it('have the dollars of another venue in accounts of that venue', () => {
    const entries = bookedAfter([fill('matched', { tokenId: 'kalshi:71' })]);
    expect(balance(entries)).toMatchObject({ 'receivable@kalshi usd': -4_050_000, 'receivable kalshi:71': 10_000_000 });
  });

  it('bring dollars for what is sold, less the fee', () => {
    expect(balance(bookedAfter([fill('matched', { side: 'sell' })]))).toMatchObject({
      'receivable usd': 3_950_000,
      'receivable 71': -10_000_000,
    });
  });

  it('are called by the contract that was called', () => {
    const [entry] = bookedAfter([fill('confirmed', { side: 'sell', fee: 0 as Usd })], 'merge');
    expect(entry?.kind).toBe('merge');
    expect(balance([entry ?? { lines: [] }])).toMatchObject({ 'cash usd': 4_000_000, 'shares 71': -10_000_000 });
  });
});

describe('the cash of each venue', () => {
  it('is an account of its own, by the id of what was traded, and no entry moves that of two', () => {
    const [entry] = bookedAfter([fill('confirmed', { tokenId: 'kalshi:71' })]);
    expect(balance([entry ?? { lines: [] }])).toMatchObject({
      'cash@kalshi usd': -4_050_000,
      'shares kalshi:71': 10_000_000,
    });
    const [deposit] = linesOfArrival('deposit', 5, 'kalshi');
    expect(deposit).toEqual({ account: 'cash@kalshi', unit: 'usd', amount: 5 });
    expect(() =>
      balanced([
        { account: 'cash', unit: 'usd', amount: -5 },
        { account: 'cash@kalshi', unit: 'usd', amount: 5 },
      ]),
    ).toThrow('polymarket and kalshi');
  });
});

describe('the entries of what was not traded', () => {
  it('pay gas in the coin of the chain, never less than it was', () => {
    expect(linesOfGas({ wei: '1000000000001', symbol: 'POL' }, 'polymarket')).toEqual([
      { account: 'gas', unit: 'pol', amount: 2 },
      { account: 'cash', unit: 'pol', amount: -2 },
    ]);
    expect(linesOfGas({ wei: '0', symbol: 'POL' }, 'polymarket')).toEqual([]);
  });

  it('bring dollars as cash and tokens as shares', () => {
    const lines = linesFromOutside(
      [
        { unit: 'usd', amount: 5 },
        { unit: '71', amount: -3 },
        { unit: '72', amount: 0 },
      ],
      'polymarket',
    );
    expect(balance([{ lines }])).toEqual({ 'cash usd': 5, 'outside usd': -5, 'shares 71': -3, 'outside 71': 3 });
  });

  it('bring dollars from where they come, and move those that were unknown there once they are named', () => {
    expect(balance([{ lines: linesOfArrival('deposit', 5, 'polymarket') }])).toEqual({
      'cash usd': 5,
      'outside usd': -5,
    });
    expect(balance([{ lines: linesOfArrival('rebate', 5, 'polymarket') }])).toEqual({
      'cash usd': 5,
      'income usd': -5,
    });
    const unknown = { lines: linesOfArrival('unknown', 5, 'polymarket') };
    expect(balance([unknown])).toEqual({ 'cash usd': 5, 'unnamed usd': -5 });
    expect(balance([unknown, { lines: linesOfNaming('reward', 5) }])).toEqual({ 'cash usd': 5, 'income usd': -5 });
    expect(balance([unknown, { lines: linesOfNaming('redeem', 5) }])).toEqual({ 'cash usd': 5, 'traded usd': -5 });
  });
});
