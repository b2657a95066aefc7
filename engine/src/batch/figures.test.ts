import {
  PRICE_ONE,
  PRICE_ZERO,
  type Price,
  priceFromMicro,
  priceFromNumber,
  setPriceFromNumber,
} from '@dutchbook/units/price.ts';
import { LEAST_SIZE, type Shares, sharesFromMicro, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromMicro, usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fill, Settlement } from '../order/fill.ts';
import type { AttemptStatus } from '../order/life.ts';
import { batchFigures, type FigureOrder } from './figures.ts';

const ONE = setPriceFromNumber(1);
let trades = 0;

const trade = (size: number, price: number, fee = 0, settlement: Settlement = 'confirmed'): Fill => {
  trades += 1;
  return {
    attemptId: 'a',
    tradeId: `t${trades}`,
    price: priceFromNumber(price),
    size: sharesFromNumber(size),
    cost: usdFromNumber(size * price),
    fee: usdFromNumber(fee),
    settlement,
  };
};

const order = (leg: number, fills: Fill[], changes: Partial<FigureOrder> = {}): FigureOrder => ({
  leg,
  marketId: `m${leg}`,
  outcome: 'Yes',
  tokenId: `m${leg}-yes`,
  size: sharesFromNumber(10),
  attempts: [{ status: 'matched' }],
  fills,
  sales: [],
  ...changes,
});

describe('the figures of a batch', () => {
  it('before anything happened are zero', () => {
    expect(batchFigures([order(1, [], { attempts: [] }), order(2, [], { attempts: [] })], ONE)).toEqual({
      filledCost: 0,
      fees: 0,
      saleProceeds: 0,
      actualProfit: 0,
      totalOrders: 0,
      filledFraction: 0,
      unhedged: null,
    });
    expect(batchFigures([], ONE).actualProfit).toBe(0);
  });

  it('of a full set are what it pays less cost and fees', () => {
    const orders = [order(1, [trade(6, 0.4, 0.06), trade(4, 0.41, 0.04)]), order(2, [trade(10, 0.5, 0.1)])];
    expect(batchFigures(orders, ONE)).toEqual({
      filledCost: 9_040_000,
      fees: 200_000,
      saleProceeds: 0,
      actualProfit: 760_000,
      totalOrders: 2,
      filledFraction: 1_000_000,
      unhedged: null,
    });
  });

  it('have no shares at risk that no order could be for', () => {
    const unhedgedOf = (more: number) =>
      batchFigures([order(1, [trade(10, 0.5)]), order(2, [trade(10 + more, 0.4)])], ONE).unhedged;
    expect(unhedgedOf(0.002)).toBeNull();
    expect(unhedgedOf(0.009_999)).toBeNull();
    expect(unhedgedOf(0.01)).toMatchObject({ positions: [{ leg: 2, shares: 10_000 }] });
  });

  it('count what shares of resolved markets pay that are left where others of their sets were redeemed, and no risk of them', () => {
    const [win, half, loss] = [1, 0.5, 0].map((value) => ({ resolvedValue: priceFromNumber(value) }));
    const target = setPriceFromNumber(1.5);
    const three = (sales: Fill[]) => [
      order(1, [trade(10, 0.6)], { ...win, sales }),
      order(2, [trade(10, 0.3)], half),
      order(3, [trade(10, 0.4)], loss),
    ];
    const before = batchFigures(three([]), target);
    expect([before.actualProfit, before.unhedged]).toEqual([2_000_000, null]);
    const redeemed = batchFigures(three([trade(10, 1)]), target);
    expect([redeemed.actualProfit, redeemed.unhedged]).toEqual([2_000_000, null]);
    const part = batchFigures(three([trade(4, 1)]), target);
    expect([part.actualProfit, part.unhedged]).toEqual([2_000_000, null]);
    // One that is still open is at risk without the others.
    const open = [order(1, [trade(10, 0.6)], { ...win, sales: [trade(10, 1)] }), order(2, [trade(10, 0.3)])];
    expect(batchFigures(open, target).unhedged?.positions).toMatchObject([{ leg: 2, shares: 10_000_000 }]);
  });

  it('count a market that was voided by what it pays, in a set or beside one, and no promise that it broke', () => {
    const half = { resolvedValue: priceFromNumber(0.5) };
    // Twenty shares whose others were never bought.
    const alone = batchFigures([order(1, [trade(20, 0.45, 0.14)], half), order(2, [])], ONE);
    expect([alone.actualProfit, alone.unhedged]).toEqual([860_000, null]);
    // The harder step of a ladder is voided, and the easier one may still fail.
    const open = batchFigures([order(1, [trade(10, 0.6)], half), order(2, [trade(10, 0.3)])], ONE);
    expect(open.actualProfit).toBe(5_000_000 - 9_000_000);
    expect(open.unhedged?.positions).toMatchObject([{ leg: 2, shares: 10_000_000, atRisk: 3_000_000 }]);
    const lost = { resolvedValue: priceFromNumber(0) };
    expect(batchFigures([order(1, [trade(10, 0.6)], half), order(2, [trade(10, 0.3)], lost)], ONE)).toMatchObject({
      actualProfit: 5_000_000 - 9_000_000,
      unhedged: null,
    });
  });

  it('count what has resolved where that is more than was promised', () => {
    const won = { resolvedValue: priceFromNumber(1) };
    const two = [order(1, [trade(10, 0.6)], won), order(2, [trade(10, 0.7)], won)];
    expect(batchFigures([...two, order(3, [trade(10, 0.5)])], ONE).actualProfit).toBe(20_000_000 - 18_000_000);
    expect(batchFigures(two, ONE).actualProfit).toBe(20_000_000 - 13_000_000);
  });

  it('hold no shares that have left the account by no order of ours, and leave the others of their sets unhedged', () => {
    const figures = batchFigures(
      [order(1, [trade(20, 0.48)], { goneSize: sharesFromNumber(15) }), order(2, [trade(20, 0.5)])],
      ONE,
    );
    expect(figures.actualProfit).toBe(5_000_000 - 9_600_000 - 10_000_000);
    expect(figures.unhedged).toMatchObject({ positions: [{ leg: 2, shares: 15_000_000 }], worstLoss: 7_500_000 });
  });

  it('count what contracts handed out by what it was sold for, and as no part of a set', () => {
    const orders = [
      order(1, [trade(10, 0.6)], { sales: [trade(10, 0.8)] }),
      order(2, [trade(10, 0.3)], { sales: [trade(10, 0.2)] }),
    ];
    const received = [{ marketId: 'm3', outcome: 'Yes', fills: [trade(10, 0)], sales: [trade(4, 0.1, 0.01)] }];
    const figures = batchFigures(orders, ONE, false, received);
    expect(figures).toMatchObject({
      actualProfit: 1_390_000,
      saleProceeds: 10_400_000,
      fees: 10_000,
      unhedged: null,
      totalOrders: 2,
    });
  });

  it('count a dollar for a share and one of its opposite outcome that a contract handed out', () => {
    const no = (leg: number, changes: Partial<FigureOrder> = {}) =>
      order(leg, [trade(10, 0.6)], { outcome: 'No', ...changes });
    // Three No pay $2 a set. The first was converted into Yes of the others, for no dollars.
    const orders = [no(1, { sales: [trade(10, 0)] }), no(2), no(3)];
    const yes = (leg: number, size = 10, changes: Partial<FigureOrder> = {}) => ({
      ...{ marketId: `m${leg}`, outcome: 'Yes', fills: [trade(size, 0)], sales: [], ...changes },
    });
    const figuresWith = (...received: ReturnType<typeof yes>[]) =>
      batchFigures(orders, setPriceFromNumber(2), false, received);
    expect(figuresWith(yes(2), yes(3))).toMatchObject({ actualProfit: 2_000_000, unhedged: null });
    // A conversion fee is paid in shares: what it leaves without its opposite is at risk.
    expect(figuresWith(yes(2), yes(3, 9))).toMatchObject({
      actualProfit: 1_000_000,
      unhedged: { positions: [{ leg: 3, shares: 1_000_000 }], worstLoss: 600_000 },
    });
    expect(figuresWith(yes(2), { ...yes(3), outcome: 'No' }).unhedged).toMatchObject({ positions: [{ leg: 3 }] });
    expect(figuresWith(yes(2), yes(3, 10, { sales: [trade(10, 0.3)] }))).toMatchObject({
      actualProfit: -5_000_000,
      unhedged: { positions: [{ leg: 3, shares: 10_000_000 }] },
    });
  });

  it('count what was handed out of a resolved market by what it pays', () => {
    const orders = [
      order(1, [trade(10, 0.6)], { outcome: 'No', sales: [trade(10, 0)] }),
      order(2, [trade(10, 0.3)], { outcome: 'No', resolvedValue: PRICE_ZERO }),
    ];
    const received = [{ marketId: 'm2', outcome: 'Yes', fills: [trade(10, 0)], sales: [], resolvedValue: PRICE_ONE }];
    expect(batchFigures(orders, ONE, false, received)).toMatchObject({ actualProfit: 1_000_000, unhedged: null });
    expect(batchFigures(orders, ONE, true, received).actualProfit).toBe(-9_000_000);
  });

  it('count whole sets only; what is beyond them is exposure, at cost with its fees', () => {
    const orders = [order(1, [trade(10, 0.4, 0.1)]), order(2, [trade(7, 0.5, 0.07)]), order(3, [trade(4, 0.05)])];
    const figures = batchFigures(orders, ONE);
    expect(figures.actualProfit).toBe(4_000_000 - 4_000_000 - 3_500_000 - 200_000 - 170_000);
    expect(figures.unhedged).toEqual({
      positions: [
        { leg: 1, marketId: 'm1', outcome: 'Yes', tokenId: 'm1-yes', shares: 6_000_000, atRisk: 2_460_000 },
        { leg: 2, marketId: 'm2', outcome: 'Yes', tokenId: 'm2-yes', shares: 3_000_000, atRisk: 1_530_000 },
      ],
      worstLoss: 3_990_000,
    });
  });

  it('of a position that did not fill at all leave everything else unhedged', () => {
    const figures = batchFigures([order(1, [trade(10, 0.4)]), order(2, [])], ONE);
    expect(figures.actualProfit).toBe(-4_000_000);
    expect(figures.unhedged?.worstLoss).toBe(4_000_000);
  });

  it('never promise more than the venue pays for the sets', () => {
    const figures = batchFigures([order(1, [trade(0.5, 0.1)])], setPriceFromNumber(0.333333));
    expect(figures.actualProfit).toBe(166_666 - 50_000);
  });

  it('after a full sale are money in less money out', () => {
    const sold = (leg: number, bought: number, price: number) =>
      order(leg, [trade(10, bought, 0.1)], { sales: [trade(4, price, 0.03), trade(6, price, 0.03)] });
    const figures = batchFigures([sold(1, 0.4, 0.45), sold(2, 0.5, 0.49)], ONE);
    expect(figures).toMatchObject({ saleProceeds: 9_400_000, fees: 320_000, unhedged: null });
    expect(figures.actualProfit).toBe(9_400_000 - 9_000_000 - 320_000);
  });

  it('after the sale of one position show the other as unhedged', () => {
    const orders = [order(1, [trade(10, 0.4)], { sales: [trade(10, 0.45)] }), order(2, [trade(10, 0.5)])];
    const figures = batchFigures(orders, ONE);
    expect(figures.actualProfit).toBe(-4_500_000);
    expect(figures.unhedged?.positions.map(({ leg, shares }) => [leg, shares])).toEqual([[2, 10_000_000]]);
  });

  it('take back a fill or a sale whose settlement failed, and count repetitions once', () => {
    const good = trade(10, 0.4, 0.1);
    const undone = trade(5, 0.9, 0.1, 'failed');
    const once = batchFigures([order(1, [good], { sales: [] })], ONE);
    expect(
      batchFigures([order(1, [good, undone, { ...good, settlement: 'mined' }], { sales: [undone] })], ONE),
    ).toEqual(once);
  });

  it('owe the shares that were sold and whose purchase failed afterwards, as far as nothing else covers them', () => {
    const sold = trade(10, 0.5);
    const undone = [trade(6, 0.4, 0.06, 'failed'), trade(4, 0.3, 0.04, 'failed')];
    const bare = batchFigures([order(1, undone, { sales: [sold] })], ONE, true);
    expect([bare.filledCost, bare.fees, bare.actualProfit]).toEqual([3_600_000, 100_000, 1_300_000]);
    const covered = batchFigures([order(1, [...undone, trade(5, 0.2)], { sales: [sold] })], ONE, true);
    expect([covered.filledCost, covered.fees, covered.actualProfit]).toEqual([2_800_000, 50_000, 2_150_000]);
  });

  it('count the positions with an attempt that the venue accepted', () => {
    const attempted = (...statuses: AttemptStatus[]) =>
      order(1, [], { attempts: statuses.map((status) => ({ status })) });
    const orders = [
      attempted(),
      attempted('prepared'),
      attempted('sent'),
      attempted('rejected', 'failed'),
      attempted('rejected', 'open'),
      attempted('canceled', 'rejected'),
      attempted('delayed'),
    ];
    expect(batchFigures(orders, ONE).totalOrders).toBe(3);
  });

  it('agree with exact rationals over what each fill cost', () => {
    const anyTrade = fc.record({
      price: fc.integer({ min: 1, max: 999_999 }).map(priceFromMicro),
      cost: fc.integer({ min: 0, max: 1e9 }).map(usdFromMicro),
      size: fc.integer({ min: 1, max: 1e9 }).map(sharesFromMicro),
      fee: fc.integer({ min: 0, max: 1e7 }).map(usdFromMicro),
    });
    const named = (parts: { price: Price; size: Shares; cost: Fill['cost']; fee: Fill['fee'] }[]): Fill[] =>
      parts.map((part, index) => ({ ...part, attemptId: 'a', tradeId: `${index}`, settlement: 'matched' }));
    const anyOrder = fc.record({ bought: fc.array(anyTrade, { maxLength: 4 }), isSold: fc.boolean() });
    const up = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor;

    fc.assert(
      fc.property(fc.array(anyOrder, { minLength: 1, maxLength: 4 }), (parts) => {
        const orders = parts.map(({ bought, isSold }, index) =>
          order(index + 1, named(bought), { sales: isSold ? named(bought.slice(1)) : [] }),
        );
        const exact = orders.map(({ fills, sales }) => {
          const total = (trades: readonly Fill[], of: (fill: Fill) => bigint) =>
            trades.reduce((sum, fill) => sum + of(fill), 0n);
          const size = ({ size }: Fill) => BigInt(size);
          const cost = ({ cost }: Fill) => BigInt(cost);
          const fee = ({ fee }: Fill) => BigInt(fee);
          return {
            bought: total(fills, size),
            held: total(fills, size) - total(sales, size),
            cost: total(fills, cost),
            proceeds: total(sales, cost),
            buyFees: total(fills, fee),
            fees: total(fills, fee) + total(sales, fee),
          };
        });
        const sets = exact.map(({ held }) => held).sort((a, b) => Number(a - b))[0] ?? 0n;
        const profit = exact.reduce((sum, { cost, proceeds, fees }) => sum + proceeds - cost - fees, sets);
        const atRisk = exact.map(({ held, bought, cost, buyFees }) =>
          held - sets >= BigInt(LEAST_SIZE) ? up((cost + buyFees) * (held - sets), bought) : 0n,
        );
        const figures = batchFigures(orders, ONE);
        expect(BigInt(figures.actualProfit)).toBe(profit);
        expect(BigInt(figures.unhedged?.worstLoss ?? 0)).toBe(atRisk.reduce((sum, amount) => sum + amount, 0n));
        expect(figures.unhedged?.positions.map(({ shares }) => BigInt(shares)) ?? []).toEqual(
          exact.filter(({ held }) => held - sets >= BigInt(LEAST_SIZE)).map(({ held }) => held - sets),
        );
      }),
    );
  });
});
