import type { VenueName } from '@dutchbook/units/ids.ts';
import { setPriceFromNumber, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import type { Market } from '../market/market.ts';
import { bookOf } from '../opportunity/quotes.fixture.ts';
import { planPlacement, smallestOrder } from '../order/plan.ts';
import { account, type Changes, contextOf, goodQuotes, noLimits, onKalshi } from './context.fixture.ts';
import type { GateQuote } from './context.ts';
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

  it('F4: is paid from the pocket of its market: where that is empty, a healthy sum does not help', () => {
    const inPocket = quotes.map((quote) => ({ ...quote, market: quote.market && { ...quote.market, pocket: '2' } }));
    const refused = (pockets: Record<string, ReturnType<typeof usdFromNumber>>, given = inPocket) =>
      evaluateGates(contextOf({ quotes: given, accounts: new Map([at('polymarket'), at('kalshi', { pockets })]) })).map(
        ({ gate, message }) => [gate, message],
      );
    expect(refused({ 0: usdFromNumber(900), 2: usdFromNumber(5) })).toEqual([]);
    expect(refused({ 0: usdFromNumber(900), 2: usdFromNumber(4.99) })).toEqual([
      ['balance', 'kalshi: shard 2 has $4.99, needs $5.00: move cash into it'],
    ]);
    expect(refused({ 0: usdFromNumber(900) })).toEqual([
      ['balance', 'kalshi: shard 2 has $0.00, needs $5.00: move cash into it'],
    ]);
  });

  it('is refused at a pocket that cash is being moved into or out of, and at no other', () => {
    const inPocket = quotes.map((quote) => ({ ...quote, market: quote.market && { ...quote.market, pocket: '2' } }));
    const refused = (movingPockets: string[]) =>
      evaluateGates(
        contextOf({
          quotes: inPocket,
          accounts: new Map([at('polymarket'), at('kalshi', { pockets: { 2: usdFromNumber(900) }, movingPockets })]),
        }),
      ).map(({ message }) => message);
    expect(refused(['0', '2'])).toEqual([
      'kalshi: cash is being moved between shards 0 and 2: wait until that is done',
    ]);
    expect(refused(['0', '1'])).toEqual([]);
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

  it("has the smallest size that each venue takes, at prices of each one's tick, and is refused by the minimum of either", () => {
    const of = (polymarket: Partial<Market>, kalshi: Partial<Market>): GateQuote[] =>
      quotes.map((quote) => ({
        ...quote,
        market: quote.market && { ...quote.market, ...(quote.leg === 1 ? polymarket : kalshi) },
      }));
    const [five, twelve] = [5, 12].map((shares) => ({ minOrderSize: sharesFromNumber(shares) }));
    const minimums = { minOrderValue: usdFromNumber(1), minOrderShares: sharesFromNumber(1) };
    expect(smallestOrder(of({ ...five }, { ...twelve }), minimums)).toEqual({ size: 12e6, rule: 'market', leg: 2 });
    expect(smallestOrder(of({ ...twelve }, { ...five }), minimums)).toEqual({ size: 12e6, rule: 'market', leg: 1 });
    const refusals = (changed: GateQuote[]) => {
      const accounts = new Map([at('polymarket'), at('kalshi')]);
      return evaluateGates(contextOf({ quotes: changed, size: 10, accounts })).map(({ message }) => message);
    };
    expect(refusals(of({ ...five }, { ...five }))).toEqual([]);
    expect(refusals(of({ ...five }, { ...twelve }))).toEqual(['leg 2: 10 shares, the venue takes no less than 12']);
    expect(refusals(of({ ...twelve }, { ...five }))).toEqual(['leg 1: 10 shares, the venue takes no less than 12']);
    const ticks = of({ tick: tickFromText('0.01') }, { tick: tickFromText('0.001') });
    const offPrice = ticks.map((quote) => ({ ...quote, book: bookOf([[0.4567, 100]]) }));
    const { orders } = planPlacement(offPrice, sharesFromNumber(10), setPriceFromNumber(1));
    expect(orders.map(({ limitPrice }) => limitPrice)).toEqual([460_000, 457_000]);
  });

  it('is refused where there is no account', () => {
    const gates = evaluateGates(contextOf({ quotes })).map(({ gate }) => gate);
    expect(gates).toEqual(expect.arrayContaining(['armed', 'balance', 'limit-per-day']));
  });
});
