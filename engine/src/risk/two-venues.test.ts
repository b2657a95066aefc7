import type { VenueName } from '@dutchbook/units/ids.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { account, type Changes, contextOf, goodQuotes, noLimits, onKalshi } from './context.fixture.ts';
import { evaluateGates } from './gates.ts';

describe('a plan over two venues', () => {
  const at = (venue: string, changes: Changes['of'] = {}) => [venue as VenueName, { ...account, ...changes }] as const;
  const quotes = goodQuotes().map((quote) => (quote.leg === 1 ? quote : onKalshi(quote)));
  const messages = (polymarket: Changes['of'], kalshi: Changes['of'], deskLimits = noLimits) =>
    evaluateGates(
      contextOf({ quotes, deskLimits, accounts: new Map([at('polymarket', polymarket), at('kalshi', kalshi)]) }),
    ).map(({ message }) => message);

  it('is paid by each account for its own orders', () => {
    const just = { balance: usdFromNumber(4.5) };
    expect(messages(just, { balance: usdFromNumber(5) })).toEqual([]);
    expect(messages(just, { balance: usdFromNumber(4.99) })).toEqual(['kalshi: the balance is $4.99, needs $5.00']);
  });

  it('is refused where either is disarmed or its clock is off', () => {
    expect(messages({ armed: false }, {})).toEqual(['polymarket: trading is disarmed']);
    expect(messages({}, { armed: false, clockSkewMs: 5001 })).toEqual([
      'kalshi: trading is disarmed',
      "kalshi: this machine's clock is 5 s behind the venue's, at most 5 s is allowed",
    ]);
  });

  it('is held against the limits of each venue and then against those of the whole desk', () => {
    const used = { placedToday: usdFromNumber(20), limits: { ...noLimits, perDay: usdFromNumber(25) } };
    expect(messages(used, used)).toEqual([]);
    expect(messages(used, { ...used, placedToday: usdFromNumber(20.01) })).toEqual([
      'kalshi: with this batch today is $25.01, the limit is $25.00',
    ]);
    expect(messages(used, used, { ...noLimits, perDay: usdFromNumber(49.5) })).toEqual([]);
    expect(messages(used, used, { ...noLimits, perDay: usdFromNumber(49.4), perBatch: usdFromNumber(9) })).toEqual([
      'the batch takes up to $9.50, the limit of the whole desk is $9.00',
      'with this batch today is $49.50, the limit of the whole desk is $49.40',
    ]);
  });

  it('is refused where there is no account', () => {
    const gates = evaluateGates(contextOf({ quotes })).map(({ gate }) => gate);
    expect(gates).toEqual(expect.arrayContaining(['armed', 'balance', 'limit-per-day']));
  });
});
