import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromMicro, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromMicro, usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Settlement } from '../order/fill.ts';
import { batchFigures } from './figures.ts';
import { type BatchResult, batchResult, predictionOf, type ResultBatch, type ResultOrder } from './result.ts';

const DAY_MS = 86_400_000;
const at = (days: number) => instantFromMs(days * DAY_MS);
type Trade = ResultOrder['fills'][number];

/** What the parts of several venues add up to. */
const IN_PARTS = [
  ...(['legs', 'filledLegs', 'paid', 'received', 'fees', 'locked'] as const),
  ...(['movedBeforeSend', 'movedInFlight', 'sizeAdded'] as const),
];

let trades = 0;
function trade(size: number, price: number, changes: Partial<Trade> & { day?: number } = {}): Trade {
  const { day = 1, ...others } = changes;
  trades += 1;
  return {
    ...{ attemptId: 'a', tradeId: `t${trades}`, price: priceFromNumber(price), size: sharesFromNumber(size) },
    ...{ cost: usdFromNumber(size * price), fee: usdFromNumber(0), settlement: 'confirmed' as const },
    ...{ matchedAt: at(day), settledAt: at(day + 0.5), ...others },
  };
}

function order(leg: number, fills: Trade[], changes: Partial<ResultOrder> = {}): ResultOrder {
  return {
    ...{ id: `o${leg}`, leg, marketId: `m${leg}`, outcome: 'Yes', tokenId: `m${leg}-yes`, size: sharesFromNumber(10) },
    ...{ expectedPrice: priceFromNumber(0.4), expectedFee: usdFromNumber(0.05) },
    attempts: [{ id: 'a', status: 'matched', sentAt: at(0.5), bookPriceOfOrder: null, bookPrice: null }],
    ...{ fills, sales: [], ...changes },
  };
}

/** Ten sets of two legs at 0.40 each, which pay a dollar. */
function batch(orders: ResultOrder[], changes: Partial<ResultBatch> = {}): ResultBatch {
  return {
    ...{ orders, received: [], size: sharesFromNumber(10), targetPrice: setPriceFromNumber(1) },
    ...{ predictedProfit: usdFromNumber(1.9), isSplit: false, isActive: false, isSoldOut: false, ...changes },
  };
}

const bought = (changes: Partial<ResultOrder> = {}) => [
  order(1, [trade(10, 0.4)]),
  order(2, [trade(10, 0.4)], changes),
];

describe('the result of a batch', () => {
  it('is locked once all of it is confirmed, until then only matched', () => {
    const locked = batchResult(batch(bought()));
    expect(locked).toMatchObject({ paidProfit: 0, lockedProfit: usdFromNumber(2), atRisk: 0, shortfall: 0 });
    expect(locked).toMatchObject({ locked: usdFromNumber(8), legs: 2, filledLegs: 2, fillCount: 2, undoneFills: 0 });
    expect(locked).toMatchObject({ sentAt: at(0.5), matchedAt: at(1), confirmedAt: at(1.5), lockedAt: at(1.5) });
    expect(locked).toMatchObject({ cashAt: null, capitalDays: 0 });
    const matched = trade(10, 0.4, { settlement: 'matched', settledAt: null });
    const waiting = batchResult(batch([order(1, [matched]), order(2, [trade(10, 0.4)])]));
    expect(waiting).toMatchObject({ lockedProfit: usdFromNumber(2), confirmedAt: null, lockedAt: null });
  });

  it('is nothing before anything was bought, and misses nothing while it may still be', () => {
    const nothing = { paidProfit: 0, lockedProfit: 0, atRisk: 0, locked: 0, lockedAt: null, cashAt: null };
    const none = [order(1, []), order(2, [])];
    expect(batchResult(batch(none, { isActive: true }))).toMatchObject({ ...nothing, shortfall: 0, filledLegs: 0 });
    expect(batchResult(batch(none))).toMatchObject({ ...nothing, shortfall: usdFromNumber(1.9) });
  });

  it('has at risk what no whole set needs, and lacks the profit of the sets that were not bought', () => {
    const half = batchResult(batch([order(1, [trade(10, 0.4)]), order(2, [trade(4, 0.4)])]));
    expect(half).toMatchObject({ lockedProfit: usdFromNumber(0.8), atRisk: usdFromNumber(2.4), paidProfit: 0 });
    expect(half).toMatchObject({ locked: usdFromNumber(5.6), shortfall: usdFromNumber(1.14), filledLegs: 1 });
  });

  it('is paid as far as it was sold, at the average cost of its shares, with the days they were held', () => {
    const first = () => [trade(5, 0.6, { day: 11, fee: usdFromNumber(0.1) })];
    const part = batchResult(batch(bought().map((each) => ({ ...each, sales: first() }))));
    expect(part).toMatchObject({ paidProfit: usdFromNumber(1.8), lockedProfit: usdFromNumber(1), cashAt: null });
    expect(part).toMatchObject({ locked: usdFromNumber(4), capitalDays: usdFromNumber(40), fillCount: 4 });
    const both = () => [...first(), trade(5, 0.5, { day: 21 })];
    const all = batchResult(
      batch(
        bought().map((each) => ({ ...each, sales: both() })),
        { isSoldOut: true },
      ),
    );
    expect(all).toMatchObject({ paidProfit: usdFromNumber(2.8), lockedProfit: 0, locked: 0, cashAt: at(21.5) });
    expect(all.capitalDays).toBe(usdFromNumber(4 * 10 + 4 * 20));
  });

  it('dates what is paid by the sale that realised it, and what a lost or missing leg cost by the last that happened', () => {
    const days = (orders: ResultOrder[], changes: Partial<ResultBatch> = {}) =>
      batchResult(batch(orders, changes)).paidParts.map(({ at: when, paid, fees }) => [
        (when ?? 0) / DAY_MS,
        paid / 1_000_000,
        fees / 1_000_000,
      ]);
    const fee = usdFromNumber(0.1);
    const first = [trade(5, 0.6, { day: 11, fee }), trade(2, 0.3, { day: 12, settlement: 'matched', settledAt: null })];
    expect(days([order(1, [trade(10, 0.4, { fee })], { sales: first }), order(2, [trade(10, 0.4)])])).toEqual([
      [11, 0.85, 0.15],
      [12, -0.22, 0.02],
    ]);
    const win = { resolvedValue: priceFromNumber(1), sales: [trade(10, 1, { day: 31 })] };
    const loss = { resolvedValue: priceFromNumber(0), resolvedAt: at(33) };
    expect(days([order(1, [trade(10, 0.4)], win), order(2, [trade(10, 0.4)], loss)])).toEqual([
      [31, 6, 0],
      [33, -4, 0],
    ]);
    const gone = { goneSize: sharesFromNumber(4), goneAt: at(20) };
    expect(days([order(1, [trade(10, 0.4)], gone), order(2, [trade(10, 0.4)])])).toEqual([[20, -1.6, 0]]);
    const lost = bought(loss).map((each) => ({ ...each, ...loss }));
    expect(days(lost)).toEqual([[33, -8, 0]]);
    expect(days(lost.map((each) => ({ ...each, resolvedAt: null })))).toEqual([[1, -8, 0]]);
  });

  it('is not cash for certain while a sale may still be undone', () => {
    const sales = [trade(10, 0.6, { day: 11, settlement: 'matched', settledAt: null })];
    const sold = batchResult(
      batch(
        bought().map((each) => ({ ...each, sales })),
        { isSoldOut: true },
      ),
    );
    expect(sold).toMatchObject({ paidProfit: usdFromNumber(4), cashAt: null });
  });

  it('is cash once what has won is redeemed: what has lost pays nothing more', () => {
    const [win, loss] = [1, 0].map((value) => ({ resolvedValue: priceFromNumber(value) }));
    const redeemed = (sales: Trade[]) => [
      order(1, [trade(10, 0.4)], { ...win, sales }),
      order(2, [trade(10, 0.4)], loss),
    ];
    const waiting = batchResult(batch(redeemed([])));
    expect(waiting).toMatchObject({ paidProfit: 0, lockedProfit: usdFromNumber(2), locked: usdFromNumber(4) });
    const paid = batchResult(batch(redeemed([trade(10, 1, { day: 31 })])));
    expect(paid).toMatchObject({ paidProfit: usdFromNumber(2), lockedProfit: 0, atRisk: 0, locked: 0 });
    expect(paid).toMatchObject({ cashAt: at(31.5), capitalDays: usdFromNumber(8 * 30) });
  });

  it('counts what contracts handed out as soon as it is sold, and not before', () => {
    const received = (sales: Trade[]) => [
      { tokenId: 'm3-yes', marketId: 'm3', outcome: 'Yes', fills: [trade(10, 0)], sales },
    ];
    const costSold = bought({ sales: [trade(10, 0.5, { day: 2 })] }).map((each) => ({
      ...each,
      sales: [trade(10, 0.5, { day: 2 })],
    }));
    const held = batchResult(batch(costSold, { received: received([]) }));
    expect(held).toMatchObject({ paidProfit: usdFromNumber(2), lockedProfit: 0, locked: 0, cashAt: null });
    const sold = batchResult(batch(costSold, { received: received([trade(10, 0.1, { day: 3 })]) }));
    expect(sold).toMatchObject({ paidProfit: usdFromNumber(3), cashAt: at(3.5) });
  });

  it('has the fees of what is sold of a split in its legs', () => {
    const sales = () => [trade(10, 0.6, { fee: usdFromNumber(0.2) })];
    const split = bought().map((each) => ({ ...each, sales: sales() }));
    const feesOf = (isSplit: boolean) => batchResult(batch(split, { isSplit })).perOrder.map(({ fee }) => fee);
    expect(feesOf(true)).toEqual([usdFromNumber(0.2), usdFromNumber(0.2)]);
    expect(feesOf(false)).toEqual([0, 0]);
  });

  it('of trades that were undone keeps their number alone', () => {
    const undone = trade(10, 0.4, { settlement: 'failed' });
    const lost = batchResult(batch([order(1, [undone]), order(2, [trade(10, 0.4)])]));
    expect(lost).toMatchObject({ undoneFills: 1, fillCount: 1, atRisk: usdFromNumber(4), lockedProfit: 0 });
    expect(lost).toMatchObject({ lockedAt: null, shortfall: usdFromNumber(1.9) });
  });

  it('is divided between venues, each with its own orders, and profit is not', () => {
    const { perVenue } = batchResult(
      batch([
        order(1, [trade(10, 0.4, { fee: usdFromNumber(0.1) })], {
          sales: [trade(4, 0.5, { day: 2, fee: usdFromNumber(0.02) })],
        }),
        order(2, [trade(6, 0.3)], { tokenId: 'kalshi:2' }),
      ]),
    );
    expect(perVenue).toMatchObject([
      {
        ...{ venue: 'polymarket', legs: 1, filledLegs: 1, paid: usdFromNumber(4), received: usdFromNumber(2) },
        ...{ fees: usdFromNumber(0.12), locked: usdFromNumber(2.46), movedInFlight: 0 },
      },
      {
        ...{ venue: 'kalshi', legs: 1, filledLegs: 0, paid: usdFromNumber(1.8), received: 0, fees: 0 },
        ...{ locked: usdFromNumber(1.8), movedInFlight: usdFromNumber(-0.6) },
      },
    ]);
  });

  it('is of parts that add up to its profit, and what is held and what was sold to its cost, whatever happened', () => {
    const fills = (max: number) =>
      fc.array(
        fc.record({
          size: fc.integer({ min: 1, max }),
          price: fc.integer({ min: 0, max: 1_000_000 }),
          fee: fc.nat({ max: 10_000 }),
          settlement: fc.constantFrom<Settlement>('matched', 'confirmed', 'confirmed', 'failed'),
        }),
        { maxLength: 3 },
      );
    const leg = fc.record({
      buys: fills(20_000_000),
      sells: fills(8_000_000),
      resolved: fc.constantFrom(null, null, 0, 0.5, 1),
      gone: fc.constantFrom(0, 0, 3_000_000),
      isThere: fc.boolean(),
    });
    const expectParts = ({ perVenue, ...whole }: BatchResult) => {
      for (const name of IN_PARTS)
        expect([name, perVenue.reduce((sum, part) => sum + part[name], 0)]).toEqual([name, whole[name]]);
    };
    const made = (reports: { size: number; price: number; fee: number; settlement: Settlement }[]) =>
      reports.map(({ size, price, fee, settlement }) =>
        trade(1, 0.5, {
          size: sharesFromMicro(size),
          cost: usdFromMicro(Math.ceil((size * price) / 1_000_000)),
          ...{ fee: usdFromMicro(fee), settlement, settledAt: settlement === 'matched' ? null : at(2) },
        }),
      );
    fc.assert(
      fc.property(fc.array(leg, { minLength: 1, maxLength: 3 }), fc.boolean(), leg, (legs, isSoldOut, out) => {
        const orders = legs.map(({ isThere, buys, sells, resolved, gone }, place) =>
          order(place + 1, made(buys), {
            ...{ tokenId: `${isThere ? 'kalshi:' : ''}${place}`, sales: made(sells), goneSize: sharesFromMicro(gone) },
            resolvedValue: resolved === null ? null : priceFromNumber(resolved),
          }),
        );
        const received = [
          { tokenId: 'out', marketId: 'out', outcome: 'Yes', fills: made(out.buys), sales: made(out.sells) },
        ];
        expectParts(batchResult(batch(orders, { isSoldOut, received })));
        const result = batchResult(batch(orders, { isSoldOut }));
        expectParts(result);
        const figures = batchFigures(orders, setPriceFromNumber(1), isSoldOut);
        expect(result.paidProfit + result.lockedProfit - result.atRisk).toBe(figures.actualProfit);
        for (const { at: when, paid } of result.paidParts) if (paid !== 0) expect(when).not.toBeNull();
        const total = (name: 'paid' | 'fees') => result.paidParts.reduce((sum, part) => sum + part[name], 0);
        expect(total('paid')).toBe(result.paidProfit);
        expect(total('fees')).toBeLessThanOrEqual(result.fees + 2 * legs.length);
        if (result.locked === 0 && result.fillCount > 0 && result.paidParts.length > 0)
          expect(total('fees')).toBe(result.fees);
        expect(result.locked).toBeGreaterThanOrEqual(0);
        expect(result.locked).toBeLessThanOrEqual(result.paid + result.fees);
        expect(result.atRisk).toBeLessThanOrEqual(result.locked + legs.length);
        if (result.cashAt !== null) expect(result).toMatchObject({ locked: 0, lockedProfit: 0, atRisk: 0 });
      }),
    );
  });
});

describe('what a batch promised', () => {
  it('is what its plan would cost for the profit that it shows', () => {
    expect(predictionOf(batch(bought()))).toEqual({ cost: usdFromNumber(8), fees: usdFromNumber(0.1) });
  });

  it('is found again where the fees were not kept: all that the profit leaves', () => {
    const promised = predictionOf(batch(bought({ expectedFee: null }), { predictedProfit: usdFromNumber(1.7) }));
    expect(promised).toEqual({ cost: usdFromNumber(8), fees: usdFromNumber(0.3) });
  });

  it('is a dollar for each set of what dollars are split into, with the fees of what is sold of it', () => {
    expect(predictionOf(batch(bought(), { isSplit: true }))).toEqual({
      cost: usdFromNumber(10),
      fees: usdFromNumber(0.1),
    });
  });
});
