import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchFigures } from '../batch/figures.ts';
import { takeLevels } from '../book/walk.ts';
import { feeOf } from '../opportunity/quotes.fixture.ts';
import type { Fill } from '../order/fill.ts';
import { bookedAsTaker } from '../order/fill.ts';
import { planSale, type SellPlan, type SellRequest } from './plan.ts';
import { fillOf, sellable, sellRequest } from './sale.fixture.ts';
import type { SellableOrder } from './sale.ts';

const cents = fc.integer({ min: 1, max: 99 }).map((price) => price / 100);
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 4_000_000 }).map((micro) => micro / 1e5),
);
const anyBids = fc.uniqueArray(fc.tuple(cents, sizes), { maxLength: 5, selector: ([price]) => price });

const anySale = fc.record({
  bids: anyBids,
  bought: sizes,
  price: cents,
  sold: fc.integer({ min: 0, max: 3 }),
  held: fc.option(sizes, { nil: undefined }),
  custom: fc.option(cents, { nil: undefined }),
});

const anyRequest: fc.Arbitrary<SellRequest> = fc.array(anySale, { minLength: 1, maxLength: 4 }).map((sales) => {
  const orders = sales.map(({ bids, bought, price, sold }, index) =>
    sellable(index + 1, bids, {
      fills: [fillOf(bought, price, 0.0123)],
      sales: sold === 0 ? [] : [fillOf((Math.floor((bought * 1e6) / 4) * sold) / 1e6, 0.5, 0.001)],
    }),
  );
  const given = (of: (sale: (typeof sales)[number]) => number | undefined) =>
    Object.fromEntries(
      sales.flatMap((sale, index) => (of(sale) === undefined ? [] : [[`m${index + 1}-yes`, of(sale) ?? 0]])),
    );
  return sellRequest(orders, { held: given(({ held }) => held), prices: given(({ custom }) => custom) });
});

/** The fills of the planned orders against the bids they were planned on. */
function execute(request: SellRequest, plan: SellPlan): Map<string, Fill[]> {
  return new Map(
    plan.orders.map((sale) => {
      const order = request.orders.find(({ orderId }) => orderId === sale.orderId) as SellableOrder;
      const within = (order.bids ?? []).filter(({ price }) => price >= sale.limitPrice);
      const fills = takeLevels(within, sale.sellSize).map(({ price, size }, index): Fill => {
        const booked = bookedAsTaker([{ price, size }], 'sell', order.market?.feeSchedule ?? feeOf(0));
        return { attemptId: sale.orderId, tradeId: `${index}`, ...booked, settlement: 'confirmed' };
      });
      return [sale.orderId, fills] as const;
    }),
  );
}

describe('any sale', () => {
  it('is never of more than is held by the order and at the venue, in whole hundredths', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { orderId, tokenId, sellSize } of planSale(request).orders) {
          const order = request.orders.find((each) => each.orderId === orderId);
          expect(sellSize).toBeLessThanOrEqual(order?.holding.held ?? 0);
          expect(sellSize).toBeLessThanOrEqual(request.freeByToken.get(tokenId) ?? 0);
          expect(sellSize % 10_000).toBe(0);
          expect(sellSize).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('brings to the micro-dollar what its orders bring on the bids it was planned on', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const plan = planSale(request);
        const fills = execute(request, plan);
        let proceeds = 0n;
        let fees = 0n;
        for (const { orderId, sellSize, limitPrice } of plan.orders) {
          const trades = fills.get(orderId) ?? [];
          expect(trades.reduce((sum, { size }) => sum + size, 0)).toBe(sellSize);
          expect(trades.every(({ price }) => price >= limitPrice)).toBe(true);
          proceeds += trades.reduce((sum, { size, price }) => sum + BigInt(size) * BigInt(price), 0n) / 1_000_000n;
          fees += trades.reduce((sum, { fee }) => sum + BigInt(fee), 0n);
        }
        expect(BigInt(plan.estimatedProceeds)).toBe(proceeds);
        expect(BigInt(plan.estimatedFees)).toBe(fees);
        expect(plan.estimatedProfit).toBe(
          plan.estimatedProceeds - plan.estimatedFees - plan.totalOriginalValue - plan.buyFees,
        );
      }),
    );
  });

  it('respects custom prices, and sells down the bids without leaving a better one', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { tokenId, limitPrice, averagePrice } of planSale(request).orders) {
          const custom = request.customPrices.get(tokenId);
          if (custom !== undefined) expect(limitPrice).toBe(custom);
          expect(averagePrice).toBeGreaterThanOrEqual(limitPrice);
        }
      }),
    );
  });

  it('of a whole batch makes the profit that the batch then reports', () => {
    const whole = fc.array(fc.tuple(cents, fc.integer({ min: 500, max: 9000 }), cents), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(whole, (parts) => {
        const bought = parts.map(([price, hundredths]) => fillOf(hundredths / 100, price, 0.0123));
        const orders = parts.map(([, , bid], index) =>
          sellable(index + 1, [[bid, 1000]], { fills: bought.slice(index, index + 1) }),
        );
        const request = sellRequest(orders);
        const plan = planSale(request);
        const sales = execute(request, plan);
        const figures = batchFigures(
          orders.map((order, index) => ({
            ...order,
            size: (bought[index]?.size ?? 0) as Shares,
            attempts: [],
            fills: bought.slice(index, index + 1),
            sales: sales.get(order.orderId) ?? [],
          })),
          setPriceFromNumber(1),
        );
        expect(figures.actualProfit).toBe(plan.estimatedProfit);
        expect(figures.saleProceeds).toBe(plan.estimatedProceeds);
        expect(figures.fees).toBe((plan.estimatedFees + plan.buyFees) as Usd);
      }),
    );
  });
});
