import type { Instant } from '@dutchbook/units/instant.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { describe, expect, it } from 'vitest';
import { converted, fromReceivable, openHistory, stated, traded } from './history.fixture.ts';
import { type Disposal, openLots, type SplitBasis } from './lots.ts';

const MICRO = 1_000_000;

/** A history in dollars and whole shares, and what comes of it as `kind shares cost proceeds`. */
function account(basis: SplitBasis = 'price') {
  const { add, history } = openHistory();
  const micro = (amount: number) => Math.round(amount * MICRO);
  let calls = 0;
  return {
    add,
    trade: (token: string, shares: number, dollars: number, fee = 0) =>
      add('settled', traded(token, micro(shares), micro(dollars), micro(fee), 'held')),
    call: (kind: LedgerKind, ...moved: [token: string, shares: number, dollars: number][]) => {
      calls += 1;
      const call = { id: `${calls}`, entries: moved.length };
      for (const [token, shares, dollars] of moved)
        add(kind, converted(token, micro(shares), micro(dollars)), { call });
    },
    micro,
    come: () => {
      const lots = openLots(basis);
      const disposals = [...history().flatMap(lots.add), ...lots.end()];
      const { gain, held } = lots.totals();
      return { disposals, rows: disposals.map(reported), gain: gain / MICRO, held: held / MICRO };
    },
  };
}

function reported({ kind, tokenId, shares, cost, proceeds }: Disposal): string {
  return `${kind} ${shares / MICRO} ${tokenId}: ${cost / MICRO} -> ${proceeds / MICRO}`;
}

describe('what is bought and sold', () => {
  it('goes first in, first out, with the fees of both', () => {
    const { trade, come } = account();
    trade('a', 10, -4, 0.1);
    trade('a', 10, -5);
    trade('a', -15, 9, 0.3);
    const { disposals, rows, gain, held } = come();
    expect(rows).toEqual(['settled 10 a: 4.1 -> 5.8', 'settled 5 a: 2.5 -> 2.9']);
    expect(disposals.map(({ acquiredBy, disposedBy }) => [acquiredBy, disposedBy])).toEqual([
      [1, 3],
      [2, 3],
    ]);
    expect([gain, held]).toEqual([2.1, 2.5]);
  });

  it('loses nothing to rounding', () => {
    const { add, come } = account();
    add('settled', traded('a', 3, -1, 0, 'held'));
    for (let sold = 0; sold < 3; sold += 1) add('settled', traded('a', -1, 1, 0, 'held'));
    expect(come().disposals.map(({ cost }) => cost)).toEqual([0, 0, 1]);
  });

  it('counts when it is matched, once, and not where that is taken back', () => {
    const { add, micro, trade, come } = account();
    add('matched', traded('a', micro(10), micro(-4), 0, 'receivable'), { trade: 'first' });
    add('matched', traded('a', micro(10), micro(-6), 0, 'receivable'));
    trade('a', -10, 7);
    add('settled', fromReceivable('a', micro(10), micro(-6)));
    add('undone', traded('a', micro(-10), micro(4), 0, 'receivable'), { trade: 'first' });
    const { rows, held } = come();
    expect([rows, held]).toEqual([['settled 10 a: 6 -> 7'], 0]);
  });

  it('is what was reported last, from when it was first reported, in shares and in dollars', () => {
    const { add, micro, trade, come } = account();
    const of = { trade: 'amended' };
    trade('a', 2, -0.2);
    add('matched', traded('a', micro(10), micro(-4), micro(0.1), 'receivable'), of);
    trade('a', -12, 7.2);
    add('correction', traded('a', micro(-2), micro(0.9), micro(-0.02), 'receivable'), of);
    add('settled', fromReceivable('a', micro(8), micro(-3.18)), of);
    add('matched', traded('b', micro(-4), micro(3), 0, 'receivable'), { trade: 'sale' });
    add('correction', traded('b', 0, micro(-1), 0, 'receivable'), { trade: 'sale' });
    expect(come()).toMatchObject({
      rows: ['settled 2 a: 0.2 -> 1.2', 'settled 8 a: 3.18 -> 4.8', 'settled 2 a: 0 -> 1.2', 'matched 4 b: 0 -> 2'],
      held: 0,
    });
  });

  it('had cost nothing where nothing is known of how it came', () => {
    const { trade, come } = account();
    trade('a', 1, -0.4);
    trade('a', -3, 1.5);
    const { disposals, rows } = come();
    expect(rows).toEqual(['settled 1 a: 0.4 -> 0.5', 'settled 2 a: 0 -> 1']);
    expect(disposals.map(({ acquiredBy }) => acquiredBy)).toEqual([1, null]);
  });

  it('is nothing of what comes from outside, nor of what goes there', () => {
    const { add, micro, trade, come } = account();
    add('opening', stated('shares', 'a', micro(5)), { at: Date.UTC(2025, 0, 1) as Instant });
    trade('a', 5, -2);
    add('correction', stated('shares', 'a', micro(-7)));
    trade('a', -3, 3);
    const { disposals, rows, held } = come();
    expect([rows, held]).toEqual([['settled 3 a: 1.2 -> 3'], 0]);
    expect(disposals.map(({ acquiredBy }) => acquiredBy)).toEqual([2]);
  });

  it('was acquired at an unknown time, where it came from outside', () => {
    const { add, micro, trade, come } = account();
    add('opening', stated('shares', 'a', micro(5)));
    trade('a', -5, 3);
    const { disposals, rows } = come();
    expect(rows).toEqual(['settled 5 a: 0 -> 3']);
    expect(disposals).toMatchObject([{ acquiredAt: null, acquiredBy: 1 }]);
  });
});

describe('what contracts convert', () => {
  it('is split by price, as its entries say, or the same to each', () => {
    const rowsOf = (basis: SplitBasis) => {
      const { call, trade, come } = account(basis);
      call('split', ['yes', 10, -7], ['no', 10, -3]);
      trade('yes', -10, 8);
      return [...come().rows, come().held];
    };
    expect(rowsOf('price')).toEqual(['settled 10 yes: 7 -> 8', 3]);
    expect(rowsOf('half')).toEqual(['settled 10 yes: 5 -> 8', 5]);
  });

  it('is disposed of by a merge for what its entries say that each brings', () => {
    const { call, trade, come } = account();
    trade('yes', 10, -4);
    trade('no', 10, -5);
    call('merge', ['yes', -10, 4.5], ['no', -10, 5.5]);
    expect(come()).toMatchObject({ rows: ['merge 10 yes: 4 -> 4.5', 'merge 10 no: 5 -> 5.5'], gain: 1, held: 0 });
  });

  it('hands its cost on when it is converted, less the dollars that come back', () => {
    const { call, trade, come } = account();
    trade('no a', 10, -7);
    trade('no b', 10, -9);
    call('convert', ['no a', -10, 4], ['no b', -10, 6], ['yes c', 10, 0], ['yes d', 10, 0]);
    trade('yes c', -10, 4);
    expect(come()).toMatchObject({
      rows: ['convert 10 no a: 7 -> 7', 'convert 10 no b: 9 -> 9', 'settled 10 yes c: 3 -> 4'],
      gain: 1,
      held: 3,
    });
  });

  it('gains on a conversion what dollars come back beyond its cost, and hands on nothing then', () => {
    const { call, trade, come } = account();
    trade('no a', 10, -3);
    trade('no b', 10, -3);
    call('convert', ['no a', -10, 5], ['no b', -10, 5], ['yes c', 10, 0]);
    expect(come()).toMatchObject({ rows: ['convert 10 no a: 3 -> 5', 'convert 10 no b: 3 -> 5'], gain: 4, held: 0 });
  });

  it('takes the shares of several batches in one conversion from lots that follow each other', () => {
    const { call, trade, come } = account();
    trade('no a', 5, -1);
    trade('no a', 5, -3);
    call('convert', ['no a', -5, 0], ['no a', -5, 0], ['yes b', 10, 0]);
    expect(come()).toMatchObject({ rows: ['convert 5 no a: 1 -> 1', 'convert 5 no a: 3 -> 3'], gain: 0, held: 4 });
  });

  it('is redeemed for a dollar or a half, and written off where it pays nothing', () => {
    const { add, micro, trade, come } = account();
    for (const token of ['yes', 'no', 'void']) trade(token, 10, -4);
    add('redeem', converted('void', micro(-10), micro(5)));
    add('redeem', converted('yes', micro(-10), micro(10)), { worthless: ['no', 'never held'] });
    expect(come()).toMatchObject({
      rows: ['redeem 10 void: 4 -> 5', 'redeem 10 yes: 4 -> 10', 'lost 10 no: 4 -> 0'],
      gain: 3,
      held: 0,
    });
  });
});
