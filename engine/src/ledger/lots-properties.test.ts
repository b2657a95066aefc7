import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomHistory } from './history.fixture.ts';
import { type Disposal, type LotEntry, openLots, type SplitBasis } from './lots.ts';

const anyHistory = (closes: boolean) => fc.integer().map((seed) => randomHistory(seed, closes));
const anyBasis = fc.constantFrom<SplitBasis>('price', 'half');

function replay(entries: readonly LotEntry[], basis: SplitBasis) {
  const lots = openLots(basis);
  const disposals = [...entries.flatMap(lots.add), ...lots.end()];
  return { disposals, totals: lots.totals() };
}

/** What the account has more in dollars than came from outside. */
function earned(entries: readonly LotEntry[]): number {
  return balanceOf(entries, ['cash', 'receivable', 'outside'], 'usd');
}

function balanceOf(entries: readonly LotEntry[], accounts: readonly string[], unit: string): number {
  const lines = entries.flatMap((entry) => entry.lines);
  return lines.reduce(
    (sum, line) => (accounts.includes(line.account) && line.unit === unit ? sum + line.amount : sum),
    0,
  );
}

const gainOf = (disposals: readonly Disposal[]) =>
  disposals.reduce((sum, { cost, proceeds }) => sum + proceeds - cost, 0);

describe('any history', () => {
  it('gains in all exactly what the ledger says was earned, once nothing is held any more', () => {
    fc.assert(
      fc.property(anyHistory(true), anyBasis, (entries, basis) => {
        const { disposals, totals } = replay(entries, basis);
        expect(gainOf(disposals)).toBe(earned(entries));
        expect(totals).toMatchObject({ held: 0, withdrawn: 0, undone: 0, profit: gainOf(disposals) });
      }),
      { numRuns: 1000 },
    );
  });

  it('adds up at any moment, with what is held, went outside, or is undone later', () => {
    fc.assert(
      fc.property(anyHistory(false), anyBasis, fc.nat(100), (entries, basis, percent) => {
        const until = entries.slice(0, Math.ceil((entries.length * percent) / 100));
        const { disposals, totals } = replay(until, basis);
        const { gain, other, held, withdrawn, undone, profit } = totals;
        expect([gain, other, profit]).toEqual([gainOf(disposals), 0, earned(until)]);
        expect(gain - held - withdrawn + undone).toBe(profit);
      }),
      { numRuns: 300 },
    );
  });

  it('disposes of every share that the ledger says went, the oldest of its token first', () => {
    fc.assert(
      fc.property(anyHistory(true), (entries) => {
        const { disposals } = replay(entries, 'price');
        for (const [token, ofToken] of Map.groupBy(disposals, ({ tokenId }) => tokenId)) {
          const came = ofToken.map(({ acquiredBy }) => acquiredBy ?? Number.NaN);
          expect(came).toEqual(came.toSorted((a, b) => a - b));
          const standing = entries.map((entry) => ({ ...entry, lines: entry.stands }));
          const written = ofToken.filter(({ kind }) => kind === 'lost');
          const left = balanceOf(standing, ['shares', 'receivable'], token);
          expect(written.reduce((sum, { shares }) => sum + shares, 0)).toBe(left);
        }
      }),
      { numRuns: 200 },
    );
  });
});
