import { PRICE_ZERO, type Price, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { addUsd, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import type { AttemptStatus } from '../order/life.ts';
import { fillOf } from '../sell/sale.fixture.ts';
import { batchFigures } from './figures.ts';
import { cheaperWay, finishRefusal, planFinish } from './finish.ts';

const ONE = setPriceFromNumber(1);
const WANTED = 10;

type Given = {
  ask?: number;
  offered?: number;
  rate?: number;
  status?: AttemptStatus;
  goneSize?: number;
  resolvedValue?: Price | null;
};

/** Ten shares wanted, `filled` of them bought at 0.40 without a fee. */
function order(leg: number, filled: number, given: Given = {}) {
  const { ask = 0.5, offered = 50, rate = 0, status = 'canceled', goneSize = 0, resolvedValue = null } = given;
  const listed = quoteOf(leg, [[ask, offered]], { rate });
  return {
    ...listed,
    quote: { ...listed, market: { ...(listed.market ?? marketOf(`m${leg}`)), minOrderSize: sharesFromNumber(1) } },
    tokenId: `m${leg}-yes`,
    size: sharesFromNumber(WANTED),
    attempts: [{ id: 'a', status, matchedSize: sharesFromNumber(filled) }],
    fills: filled > 0 ? [fillOf(filled, 0.4)] : [],
    sales: [],
    goneSize: sharesFromNumber(goneSize),
    resolvedValue,
  };
}

const usd = usdFromNumber;
const finishOf = (...orders: ReturnType<typeof order>[]) => planFinish(orders, ONE);

function planned(...orders: ReturnType<typeof order>[]) {
  const finish = finishOf(...orders);
  if (finish.kind === 'refused') throw new Error(finish.reason);
  return finish;
}

describe('finishing the set', () => {
  it('costs the missing shares with their fees, pays the sets, and loses what is left of both', () => {
    // Six at 0.65 and their fee of 4 %, on six that cost 2.40.
    const { cost, pays, loss, plan } = planned(order(1, 10), order(2, 4, { ask: 0.65, rate: 0.04 }));
    expect(cost).toBe(usd(3.9546));
    expect(pays).toBe(usd(6));
    expect(loss).toBe(usd(0.3546));
    expect(plan.orders).toMatchObject([{ leg: 2, size: sharesFromNumber(6) }]);
  });

  it('buys no more sets than the fullest position has shares for', () => {
    const { plan, pays } = planned(order(1, 6), order(2, 4));
    expect(plan.orders).toMatchObject([{ leg: 2, size: sharesFromNumber(2) }]);
    expect(pays).toBe(usd(2));
  });

  it.each([
    [[order(1, 10), order(2, 4, { status: 'open' })], /an earlier order has not ended$/],
    [[order(1, 10), order(2, 4, { offered: 5 })], 'Leg 2: 1 of the missing shares are not on offer'],
    [[order(1, 10, { goneSize: 1 }), order(2, 4)], /shares of it have left the account$/],
    [[order(1, 10), order(2, 4, { resolvedValue: PRICE_ZERO })], /its market has resolved$/],
    [[order(1, 4), order(2, 4)], 'Nothing is missing'],
  ])('is refused with the reason: %#', (orders, reason) => {
    expect(finishOf(...orders)).toEqual({
      kind: 'refused',
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });

  it('has no price that is known without a book, and none where the market takes no orders', () => {
    const { quote, ...second } = order(2, 4);
    const without = { ...second, quote: { ...quote, book: undefined } };
    expect(planFinish([order(1, 10), without], ONE)).toMatchObject({
      reason: expect.stringMatching(/price is not known$/),
    });
    const shut = { ...second, quote: { ...quote, market: { ...quote.market, acceptingOrders: false } } };
    expect(planFinish([order(1, 10), shut], ONE)).toMatchObject({ reason: expect.stringMatching(/takes no orders$/) });
  });

  it('leaves whole sets and nothing else, for what it says that it costs, whatever is held and asked', () => {
    const leg = fc.record({ filled: fc.integer({ min: 0, max: WANTED }), ask: fc.integer({ min: 1, max: 99 }) });
    fc.assert(
      fc.property(fc.array(leg, { minLength: 2, maxLength: 5 }), fc.constantFrom(0, 0.04), (legs, rate) => {
        const orders = legs.map(({ filled, ask }, index) => order(index + 1, filled, { ask: ask / 100, rate }));
        const { unhedged, actualProfit } = batchFigures(orders, ONE);
        const finish = planFinish(orders, ONE);
        if (unhedged === null) {
          expect(finish.kind).toBe('refused');
          return;
        }
        if (finish.kind === 'refused') throw new Error(finish.reason);
        const bought = new Map(finish.plan.orders.map((each) => [each.leg, each]));
        const after = batchFigures(
          orders.map((each) => {
            const more = bought.get(each.leg);
            if (more === undefined) return each;
            const fill = { ...fillOf(1, 0.4), tradeId: 'more', size: more.size, cost: more.cost, fee: more.fee };
            return { ...each, fills: [...each.fills, fill] };
          }),
          ONE,
        );
        expect(after.unhedged).toBeNull();
        expect(after.actualProfit).toBe(addUsd(actualProfit, (finish.pays - finish.cost) as Usd));
        expect(finish.loss).toBe(addUsd(finish.cost, unhedged.worstLoss) - finish.pays);
        expect(finish.atMost).toBeGreaterThanOrEqual(finish.cost);
      }),
    );
  });
});

describe('finishing and unwinding', () => {
  const finish = planned(order(1, 10), order(2, 4, { ask: 0.65 }));

  it('is marked where it loses less, and neither where both lose as much or one is not known', () => {
    expect(cheaperWay(finish, usd(0.31))).toBe('finish');
    expect(cheaperWay(finish, usd(0.29))).toBe('unwind');
    expect(cheaperWay(finish, usd(0.3))).toBeNull();
    expect(cheaperWay(finish, null)).toBeNull();
    expect(cheaperWay(finishOf(order(1, 4), order(2, 4)), usd(0.3))).toBeNull();
  });

  it('buys nothing that loses more than unwinding, or that costs what it pays', () => {
    expect(finishRefusal(finish, usd(0.3))).toBeNull();
    expect(finishRefusal(finish, null)).toBeNull();
    expect(finishRefusal(finish, usd(0.29))).toBe('Finishing the set loses $0.30, unwinding loses $0.29');
    expect(finishRefusal(finish, usd(-0.1))).toBe('Finishing the set loses $0.30, unwinding makes $0.10');
    const dear = planned(order(1, 10), order(2, 4, { ask: 0.99, rate: 0.5 }), order(3, 4, { ask: 0.05 }));
    expect(finishRefusal(dear, null)).toMatch(/^Finishing the set costs \$6\.\d\d and pays \$6\.00$/);
  });
});
