import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allotSteps, type ExitLot } from './allot.ts';

const lot = (orderId: string, tokenId: string, shares: number, cost: number): ExitLot => ({
  orderId,
  tokenId,
  shares: shares as Shares,
  cost: cost as Usd,
});
const merge = (shares: number, ...tokens: string[]) => ({
  dollars: shares as Usd,
  changes: tokens.map((tokenId) => ({ tokenId, micro: -shares })),
});

describe('whose shares a call takes', () => {
  it('is the first lots, whose tokens bring their part of the dollars by what they cost, each share as much', () => {
    const lots = [lot('a', 'yes', 6, 2), lot('b', 'yes', 8, 6), lot('c', 'no', 10, 5)];
    expect(allotSteps([merge(10, 'yes', 'no')], lots)).toEqual([
      {
        parts: [
          { orderId: 'a', shares: 6, dollars: 3 },
          { orderId: 'b', shares: 4, dollars: 2 },
          { orderId: 'c', shares: 10, dollars: 5 },
        ],
        handedOut: [],
      },
    ]);
  });

  it('brings to each of many purchases of whole sets what its sets pay, whatever they cost', () => {
    const purchases = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.array(fc.nat(10 ** 6), { minLength: 4, maxLength: 4 })),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(purchases, (bought) => {
        const legs = ['a', 'b', 'c', 'd'];
        const lots = bought.flatMap(([sets, prices], nth) =>
          legs.map((leg, place) =>
            lot(`${nth}:${leg}`, leg, sets, Math.floor((sets * (prices[place] ?? 0)) / 10 ** 6)),
          ),
        );
        const all = bought.reduce((sum, [sets]) => sum + sets, 0);
        const convert = { dollars: (3 * all) as Usd, changes: legs.map((tokenId) => ({ tokenId, micro: -all })) };
        const [{ parts } = { parts: [] }] = allotSteps([convert], lots);
        for (const [nth, [sets]] of bought.entries()) {
          const own = parts.filter(({ orderId }) => orderId.startsWith(`${nth}:`));
          const brought = own.reduce((sum, { dollars }) => sum + dollars, 0);
          // Each of four legs is rounded, with up to a millionth for each purchase behind the last.
          expect(Math.abs(brought - 3 * sets)).toBeLessThanOrEqual(4 * (bought.length + 1));
        }
      }),
    );
  });

  it('gives no share more than a dollar: what that keeps from one goes to the others', () => {
    const [step] = allotSteps(
      [merge(1_000_000, 'yes', 'no')],
      [lot('dear', 'yes', 1_000_000, 990_000), lot('free', 'no', 1_000_000, 0)],
    );
    expect(step?.parts.map(({ dollars }) => dollars)).toEqual([1_000_000, 0]);
    const convert = {
      dollars: 9_000_000 as Usd,
      changes: [...'abcdefghij'].map((tokenId) => ({ tokenId, micro: -1_000_000 })),
    };
    const [taken] = allotSteps(
      [convert],
      [...'abcdefghij'].map((id) => lot(id, id, 1_000_000, id === 'a' ? 990_000 : 100_000)),
    );
    expect(taken?.parts.map(({ dollars }) => dollars)).toEqual([1_000_000, ...Array(9).fill(888_888).with(8, 888_896)]);
  });

  it('takes what an earlier call hands out before the lots, shares the dollars among all of them, and says what is left over', () => {
    const convert = {
      dollars: 0 as Usd,
      changes: [
        { tokenId: 'no-1', micro: -100 },
        { tokenId: 'yes-2', micro: 100 },
        { tokenId: 'yes-3', micro: 100 },
      ],
    };
    const lots = [lot('one', 'no-1', 100, 60), lot('two', 'no-2', 100, 20), lot('own', 'yes-2', 50, 10)];
    expect(allotSteps([convert, merge(100, 'yes-2', 'no-2')], lots)).toEqual([
      { parts: [{ orderId: 'one', shares: 100, dollars: 75 }], handedOut: [{ tokenId: 'yes-3', shares: 100 }] },
      { parts: [{ orderId: 'two', shares: 100, dollars: 25 }], handedOut: [] },
    ]);
  });

  it('refuses what the lots do not have', () => {
    expect(() => allotSteps([merge(2, 'yes')], [lot('a', 'yes', 1, 1)])).toThrow(RangeError);
  });

  it('adds up to what the call brings and takes, whatever the lots', () => {
    const amounts = fc.record({ shares: fc.integer({ min: 1, max: 10 ** 12 }), cost: fc.nat(10 ** 12) });
    fc.assert(
      fc.property(
        fc.array(amounts, { minLength: 1, maxLength: 8 }),
        fc.nat(1000),
        fc.nat(1000),
        (given, wanted, pays) => {
          const lots = given.map(({ shares, cost }, nth) => lot(String(nth), 'token', shares, cost));
          const all = lots.reduce((sum, { shares }) => sum + shares, 0);
          const taken = Math.max(1, Math.floor((all * wanted) / 1000));
          const dollars = Math.floor((taken * pays) / 1000);
          const [step] = allotSteps(
            [{ dollars: dollars as Usd, changes: [{ tokenId: 'token', micro: -taken }] }],
            lots,
          );
          const parts = step?.parts ?? [];
          expect(parts.reduce((sum, { shares }) => sum + shares, 0)).toBe(taken);
          expect(parts.reduce((sum, part) => sum + part.dollars, 0)).toBe(dollars);
          expect(parts.every((part) => part.dollars <= part.shares && part.dollars >= 0)).toBe(true);
        },
      ),
    );
  });
});
