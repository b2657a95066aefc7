import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Level } from '../book/level.ts';
import { sizeWithin } from '../book/walk.ts';
import { anyQuotes, bookOf, feeOf } from '../opportunity/quotes.fixture.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import { planPlacement } from '../order/plan.ts';
import { batchOutcome, type MetOrder } from './batch-outcome.ts';

const ONE = setPriceFromNumber(1);

function ordersOf(quotes: readonly PositionQuote[], size: number): MetOrder[] {
  const plan = planPlacement(quotes, sharesFromNumber(size), ONE);
  return plan.orders.map((order) => {
    const { book, market } = quotes.find(({ tokenId }) => tokenId === order.tokenId) ?? {};
    return { ...order, asks: book?.asks ?? [], bids: book?.bids ?? [], schedule: market?.feeSchedule ?? feeOf(0) };
  });
}

const order = (limit: number, size: number, asks: [number, number][], bids: [number, number][] = []): MetOrder => {
  const book = bookOf(asks, bids);
  const limitPrice = setPriceFromNumber(limit);
  return { size: sharesFromNumber(size), limitPrice, schedule: feeOf(0), asks: book.asks, bids: book.bids };
};

describe('the outcome of a batch', () => {
  it('is what was planned where its orders meet the books that they were planned by', () => {
    fc.assert(
      fc.property(anyQuotes, fc.integer({ min: 1, max: 30 }), (quotes, size) => {
        const plan = planPlacement(quotes, sharesFromNumber(size), ONE);
        fc.pre(plan.shortOf.length === 0);
        const outcome = batchOutcome(ordersOf(quotes, size), ONE);
        expect(outcome).toMatchObject({ kind: 'completed', profit: plan.expectedProfit });
        expect(outcome.spent).toBe(plan.totalCost + plan.totalFees);
        expect(outcome.held).toBe(outcome.spent);
      }),
    );
  });

  it('never takes more than its limit and its size allow, nor spends more than what was reserved', () => {
    const lateBooks = fc.array(anyQuotes, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(anyQuotes, lateBooks, fc.integer({ min: 1, max: 30 }), (quotes, late, size) => {
        const plan = planPlacement(quotes, sharesFromNumber(size), ONE);
        const orders = ordersOf(quotes, size).map((planned, place) => ({
          ...planned,
          asks: late[place]?.[0]?.book?.asks ?? [],
        }));
        const { taken, spent, profit } = batchOutcome(orders, ONE);
        for (const [place, { asks, limitPrice, size: wanted }] of orders.entries()) {
          const filled = (taken[place] ?? []).reduce((sum, level) => sum + level.size, 0);
          expect(filled).toBe(Math.min(wanted, sizeWithin(asks, limitPrice, 'buy')));
        }
        expect(spent).toBeLessThanOrEqual(plan.totalReserve + orders.length);
        expect(profit).toBeGreaterThanOrEqual(-spent);
      }),
    );
  });

  it('sells again what belongs to no whole set, and loses what has no bids', () => {
    const outcome = batchOutcome([order(0.5, 10, [[0.5, 10]], [[0.4, 3]]), order(0.4, 10, [[0.4, 4]])], ONE);
    // Ten at 0.5 and four at 0.4, of which six are left over: three of them bring 0.4 each.
    expect(outcome).toMatchObject({
      kind: 'unwound',
      spent: usdFromNumber(5 + 1.6 - 1.2),
      profit: usdFromNumber(4 - 5.4),
      held: usdFromNumber(2 + 1.6),
    });
  });

  it('is completed where all legs have less of the same, and unfilled where none has anything', () => {
    const short: [number, number][] = [[0.4, 2]];
    expect(batchOutcome([order(0.4, 5, short), order(0.4, 5, short)], ONE).kind).toBe('completed');
    const dearer: [number, number][] = [[0.41, 9]];
    expect(batchOutcome([order(0.4, 5, dearer), order(0.4, 5, dearer)], ONE)).toMatchObject({
      ...{ kind: 'unfilled', profit: 0, spent: 0, held: 0 },
      taken: [[], []] satisfies Level[][],
    });
  });
});
