import { describe, expect, it } from 'vitest';
import { planSale } from '../sell/plan.ts';
import { sellable, sellRequest } from '../sell/sale.fixture.ts';
import type { Allowances } from './allowance.ts';
import { contextOf, withMarket } from './context.fixture.ts';
import { evaluateGates } from './gates.ts';

const refusals = (allowances: Allowances | null) =>
  evaluateGates(contextOf({ quotes: withMarket({ settledBy: 'neg-risk' }), of: { allowances } })).map(
    ({ message }) => message,
  );

describe('what the contracts of the venue may move', () => {
  it('refuses a batch of which one leg settles through a contract that was not approved', () => {
    expect(refusals(new Map([['exchange', 10_000_000]]))).toEqual([
      "leg 2 needs $5.00, and the exchange contract neg-risk may move $0.00 of the account's cash: approve it with the wallet",
    ]);
  });

  it('lets a batch pass that every contract covers, and asks nothing where the venue does not say', () => {
    const covered = [
      ['exchange', 4_500_000],
      ['neg-risk', 5_000_000],
    ] as const;
    expect(refusals(new Map(covered))).toEqual([]);
    expect(refusals(null)).toEqual([]);
    expect(refusals(new Map([...covered, ['neg-risk', 4_999_999]]))).toHaveLength(1);
  });

  it('refuses an order of a negative-risk market that would be undone for what another contract may not move', () => {
    const gated = (negRisk: boolean, unapproved?: string[]) =>
      evaluateGates(contextOf({ quotes: withMarket({ negRisk }), of: { ...(unapproved && { unapproved }) } })).map(
        ({ message }) => message,
      );
    expect(gated(true, ['negative-risk adapter'])).toEqual([
      "the negative-risk adapter may not move the account's cash, and orders of negative-risk markets would be undone: approve it",
    ]);
    expect([gated(false, ['negative-risk adapter']), gated(true, []), gated(true)]).toEqual([[], [], []]);
  });

  it('refuses a sale of shares that the contract may not move', () => {
    const request = sellRequest([sellable(1, [[0.4, 20]])]);
    const sold = (allowed: number) =>
      planSale({ ...request, allowancesByToken: new Map([['m1-yes', new Map([['exchange', allowed]])]]) }).errors;
    expect(sold(10_000_000)).toEqual([]);
    expect(sold(9_999_999)).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): the exchange contract exchange may not move these shares: approve it with the wallet',
    ]);
  });
});
