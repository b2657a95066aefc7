import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { batchFigures, type Unhedged } from '../batch/figures.ts';
import { fillOf, sellable, sellRequest } from './sale.fixture.ts';
import type { SellableOrder } from './sale.ts';
import { planUnwind } from './unwind.ts';

const bids = [[0.39, 100]] as const;
const rules = { minOrderSize: sharesFromNumber(1) };
const four = sellable(2, [[0.5, 100]], { fills: [fillOf(4, 0.5)], rules });

/** Ten of the first position against four of the second: six are unhedged, bought at 0.40 with six cents of fees. */
function unhedgedOf(orders: SellableOrder[]): Unhedged {
  const { unhedged } = batchFigures(
    orders.map((order) => ({
      ...order,
      size: sharesFromNumber(10),
      attempts: [],
      fills: [fillOf(order.holding.bought / 1e6, order.leg === 1 ? 0.4 : 0.5, order.leg === 1 ? 0.1 : 0)],
      sales: [],
    })),
    setPriceFromNumber(1),
  );
  if (unhedged === null) throw new Error('nothing is unhedged');
  return unhedged;
}

const unwind = (first: SellableOrder, held: Record<string, number> = {}) =>
  planUnwind(sellRequest([first, four], { held }), unhedgedOf([first, four]));

describe('unwinding', () => {
  it('sells what no whole set needs, at the cost of what was paid for it less what the bids pay after fees', () => {
    const { plan, unwindCost } = unwind(sellable(1, bids));
    expect(plan.orders).toMatchObject([{ leg: 1, sellSize: 6_000_000, proceeds: 2_340_000, fee: 57_100 }]);
    expect(unwindCost).toBe(2_460_000 - 2_340_000 + 57_100);
    expect(plan.estimatedProfit).toBe(-177_100);
  });

  it('leaves the other tokens of a leg alone, and the same token of another leg', () => {
    const first = sellable(1, bids);
    const neighbour = sellable(3, bids, { leg: 1 });
    const namesake = sellable(1, bids, { orderId: 'order-4', leg: 4 });
    const { plan } = planUnwind(sellRequest([namesake, neighbour, first]), unhedgedOf([first, four]));
    expect(plan.orders.map(({ orderId }) => orderId)).toEqual(['order-1']);
  });

  it('costs all that was paid where nothing is bid', () => {
    expect(unwind(sellable(1, [])).unwindCost).toBe(2_460_000);
  });

  it('may gain', () => {
    expect(unwind(sellable(1, [[0.6, 10]])).unwindCost).toBe(2_460_000 - 3_600_000 + 57_600);
  });

  it('has no known cost while the book is not known', () => {
    expect(unwind(sellable(1, bids, { bids: null })).unwindCost).toBeNull();
  });

  it('sells no more than the account holds', () => {
    const { plan } = unwind(sellable(1, bids), { 'm1-yes': 5.5 });
    expect(plan.errors).toEqual([]);
    expect(plan.orders).toMatchObject([{ sellSize: 5_500_000 }]);
  });
});
