import type { Usd } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { type MovedByLogs, type PlannedCall, proveCalls } from './prove-calls.ts';

const DOLLAR = 1_000_000;

function redeem(market: string, dollars = 10, shares = 10): PlannedCall {
  return {
    ...{ id: `redeem ${market}`, kind: 'redeem', marketIds: [market], dollars: (dollars * DOLLAR) as Usd },
    changes: [{ tokenId: `${market} yes`, micro: -shares * DOLLAR }],
  };
}

const merge: PlannedCall = {
  ...{ id: 'merge', kind: 'merge', marketIds: ['rain'], dollars: (4 * DOLLAR) as Usd },
  changes: ['rain yes', 'rain no'].map((tokenId) => ({ tokenId, micro: -4 * DOLLAR })),
};

/** No on two members of three. */
const convert: PlannedCall = {
  ...{ id: 'convert', kind: 'convert', marketIds: ['a', 'b'], dollars: (10 * DOLLAR) as Usd },
  changes: [
    ...['a no', 'b no'].map((tokenId) => ({ tokenId, micro: -10 * DOLLAR })),
    { tokenId: 'c yes', micro: 10 * DOLLAR },
  ],
};

/** In dollars and whole shares. */
function moved(cash: number, shares: Record<string, number>, payouts: Record<string, number> = {}): MovedByLogs {
  const micro = (amounts: Record<string, number>) =>
    new Map(Object.entries(amounts).map(([key, amount]) => [key, amount * DOLLAR]));
  return { cash: cash * DOLLAR, shares: micro(shares), payouts: micro(payouts) };
}

/** Kinds, with the dollars of what is proven. */
function proofsOf(calls: readonly PlannedCall[], by: MovedByLogs) {
  const { proofs } = proveCalls(calls, by);
  return calls.map(({ id }) => {
    const proof = proofs.get(id);
    return proof?.kind === 'proven' ? proof.dollars / DOLLAR : proof?.kind;
  });
}

describe('what a transaction proves of its calls', () => {
  it('is what was planned where it has moved that', () => {
    const by = moved(24, { 'wind yes': -10, 'rain yes': -4, 'rain no': -4, 'a no': -10, 'b no': -10, 'c yes': 10 });
    expect(proofsOf([redeem('wind'), merge, convert], by)).toEqual([10, 4, 10]);
  });

  it('is nothing of a call that moved nothing, whatever the others did', () => {
    expect(proofsOf([redeem('wind')], moved(0, {}))).toEqual(['nothing']);
    expect(proofsOf([redeem('wind'), redeem('snow')], moved(10, { 'snow yes': -10 }, { snow: 10 }))).toEqual([
      'nothing',
      10,
    ]);
  });

  it('is nothing that can be booked where shares are gone for no dollars, or others than planned', () => {
    expect(proofsOf([redeem('wind')], moved(0, { 'wind yes': -10 }, { wind: 10 }))).toEqual(['other']);
    expect(proofsOf([redeem('wind')], moved(6, { 'wind yes': -6 }, { wind: 6 }))).toEqual(['other']);
    expect(proofsOf([merge], moved(4, { 'rain yes': -4 }))).toEqual(['other']);
    expect(proofsOf([convert], moved(10, { 'a no': -10, 'b no': -10 }))).toEqual(['other']);
  });

  it('is what a market was paid for, where that is something else', () => {
    const by = moved(15, { 'wind yes': -10, 'snow yes': -10 }, { wind: 5, snow: 10 });
    expect(proofsOf([redeem('wind'), redeem('snow')], by)).toEqual([5, 10]);
    expect(proofsOf([redeem('wind'), merge], moved(9, { 'wind yes': -10, 'rain yes': -4, 'rain no': -4 }))).toEqual([
      expect.closeTo(10 - (5 * 10) / 14, 5),
      expect.closeTo(4 - (5 * 4) / 14, 5),
    ]);
  });

  it('is of a conversion what its contract left, in dollars and in shares', () => {
    const { proofs } = proveCalls(
      [convert, merge],
      moved(13.9, { 'a no': -10, 'b no': -10, 'c yes': 9.9, 'rain yes': -4, 'rain no': -4 }),
    );
    expect(proofs.get('convert')).toEqual({
      kind: 'proven',
      dollars: 9_900_000,
      outputs: new Map([['c yes', 9_900_000]]),
    });
    expect(proofs.get('merge')).toMatchObject({ kind: 'proven', dollars: 4_000_000 });
  });

  it('tells apart what a contract redeemed of shares that were not in the plan', () => {
    const { proofs, surplus } = proveCalls(
      [redeem('wind')],
      moved(15, { 'wind yes': -15, 'wind no': -3 }, { wind: 15 }),
    );
    expect(proofs.get('redeem wind')).toMatchObject({ dollars: 10_000_000 });
    expect(surplus).toEqual({ dollars: 5_000_000, shares: new Map([['wind yes', -5_000_000]]) });
  });

  it('equals the dollars that came, whatever was planned', () => {
    for (let cash = 1; cash < 40; cash += 1.37) {
      const calls = [redeem('wind', 7, 7), redeem('snow', 3.333333, 10), merge];
      const by = moved(0, { 'wind yes': -7, 'snow yes': -10, 'rain yes': -4, 'rain no': -4 });
      const dollars = proveCalls(calls, { ...by, cash: Math.round(cash * DOLLAR) }).proofs.values();
      const sum = [...dollars].reduce(
        (total, proof) => total + (proof.kind === 'proven' ? proof.dollars : Number.NaN),
        0,
      );
      expect(sum).toBe(Math.round(cash * DOLLAR));
    }
  });

  it('asks nothing of calls that move nothing', () => {
    const approve: PlannedCall = { id: 'approve', kind: 'approve', marketIds: [], changes: [], dollars: 0 as Usd };
    expect(proofsOf([approve], moved(0, {}))).toEqual([0]);
  });
});
