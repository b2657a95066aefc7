import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeSince, type EquityPoint, worthOf } from '../ledger/equity.ts';
import { batchFigures } from './figures.ts';
import { NOTHING_PAID } from './paid-parts.ts';
import { realisedByDay, utcDayOf } from './realised.ts';
import { batchResult, type ResultBatch, type ResultOrder } from './result.ts';

const DAY_MS = 86_400_000;
const DAYS = 200;
const noonOf = (day: number) => instantFromMs(day * DAY_MS + DAY_MS / 2);

it('puts each dollar on the UTC day that realised it, and none is lost or counted twice', () => {
  const part = fc.record({
    at: fc.option(fc.nat(DAYS * DAY_MS)),
    paid: fc.integer({ min: -9_000_000, max: 9_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(part), (made) => {
      const parts = made.map(({ at, paid }) => ({ ...NOTHING_PAID, at: at as Instant | null, paid: paid as Usd }));
      const days = realisedByDay(parts, noonOf(7));
      for (let nth = 0; nth <= DAYS; nth += 1) {
        const ofDay = made.filter(({ at }) => Math.floor((at ?? 7 * DAY_MS) / DAY_MS) === nth);
        const paid = days.get(utcDayOf(noonOf(nth)))?.paid ?? 0;
        expect(paid).toBe(ofDay.reduce((sum, each) => sum + each.paid, 0));
      }
    }),
  );
});

type Trade = ResultOrder['fills'][number];
const trade = fc.record({
  size: fc.integer({ min: 1_000_000, max: 10_000_000 }),
  price: fc.integer({ min: 50_000, max: 900_000 }),
  fee: fc.nat({ max: 30_000 }),
});
/** Both legs are bought on one day, whole or not; later each is sold in part. */
const story = fc.record({
  day: fc.integer({ min: 1, max: DAYS - 1 }),
  legs: fc.tuple(
    fc.record({ buy: trade, sale: fc.option(trade), after: fc.nat({ max: 60 }) }),
    fc.record({ buy: trade, sale: fc.option(trade), after: fc.nat({ max: 60 }) }),
  ),
});
type Story = typeof story extends fc.Arbitrary<infer Made> ? Made : never;

function fillOf(id: string, { size, price, fee }: Story['legs'][0]['buy'], day: number): Trade {
  const at = noonOf(day);
  const amounts = { size: size as Shares, price: price as Price, cost: notional(size as Shares, price as Price, 'up') };
  return {
    ...{ attemptId: id, tradeId: id, fee: fee as Usd, settlement: 'confirmed', matchedAt: at, settledAt: at },
    ...amounts,
  };
}

/** As far as it had happened by the end of a day. */
function batchBy(day: number, { day: bought, legs }: Story, name: string): ResultBatch {
  const orders = legs.map(({ buy, sale, after }, nth): ResultOrder => {
    const id = `${name} ${nth}`;
    const sold = sale && { ...sale, size: Math.min(sale.size, buy.size), fee: Math.min(sale.fee, 1000) };
    const isSold = sold !== null && bought + after <= day;
    return {
      ...{ id, leg: nth + 1, marketId: id, outcome: 'Yes', tokenId: id, size: 10_000_000 as Shares, attempts: [] },
      ...{ expectedPrice: buy.price as Price, expectedFee: USD_ZERO },
      fills: bought <= day ? [fillOf(`${id} buy`, buy, bought)] : [],
      sales: isSold ? [fillOf(`${id} sale`, sold, bought + after)] : [],
    };
  });
  const whole = { size: 10_000_000 as Shares, targetPrice: PRICE_ONE, predictedProfit: USD_ZERO };
  return { orders, received: [], ...whole, isSplit: false, isActive: false, isSoldOut: false };
}

it('is, with the gain of what is held, what equity rose by on each of 200 days, whenever batches ended', () => {
  const stories = fc.sample(story, { numRuns: 60, seed: 46 });
  const bids = fc.sample(fc.integer({ min: 10_000, max: 990_000 }), { numRuns: DAYS + 1, seed: 7 });
  const at = (day: number) => {
    const batches = stories.map((each, nth) => batchBy(day, each, `b${nth}`));
    const results = batches.map(batchResult);
    const figures = batches.map(({ orders, targetPrice }) => batchFigures(orders, targetPrice));
    const price = (bids[day] ?? 0) as Price;
    const loose = figures.flatMap(({ unhedged }) => unhedged?.positions ?? []);
    const cash = figures.reduce((sum, each) => sum + each.saleProceeds - each.filledCost - each.fees, 0);
    const profit = figures.reduce((sum, each) => sum + each.actualProfit, 0);
    const shares = worthOf(loose.map((position) => ({ shares: position.shares, price, boughtFor: null }))).worth;
    const point = { at: noonOf(day), cash, locked: profit - cash, shares, paidIn: USD_ZERO } as EquityPoint;
    const gain = results.reduce((sum, each) => sum + each.lockedProfit - each.atRisk, shares as number);
    const days = results.map(({ paidParts }) => realisedByDay(paidParts, noonOf(day)));
    const realised = days.reduce((sum, each) => sum + (each.get(utcDayOf(noonOf(day)))?.paid ?? 0), 0);
    return { point, gain, realised };
  };
  const days = Array.from({ length: DAYS + 1 }, (_, day) => at(day));
  let realised = 0;
  for (const [nth, now] of days.entries()) {
    const before = days[nth - 1];
    if (before === undefined) continue;
    realised += now.realised;
    const points = days.slice(0, nth).map(({ point }) => point);
    const change = changeSince({ points, beganAt: noonOf(0), now: now.point }, before.point.at)?.change ?? Number.NaN;
    // A later sale of an order may move a millionth of the cost of an earlier one.
    expect(Math.abs(change - (now.realised + now.gain - before.gain)), `day ${nth}`).toBeLessThanOrEqual(4);
  }
  expect(Math.abs(realised)).toBeGreaterThan(mulDiv(1_000_000, 1, 1, 'down'));
});
