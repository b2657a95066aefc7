import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { priceFromNumber, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { planSale } from './plan.ts';
import { fillOf, sellable, sellRequest } from './sale.fixture.ts';

describe('selling a batch', () => {
  it('goes down the bids and shows what it sends, brings and leaves after all fees', () => {
    const orders = [
      sellable(1, [
        [0.45, 4],
        [0.44, 20],
      ]),
      sellable(2, [[0.6, 100]], { fills: [fillOf(10, 0.5)], rules: { feeSchedule: null } }),
    ];
    const known = orders.slice(0, 1);
    expect(planSale(sellRequest(known))).toEqual({
      totalOrders: 1,
      sellableOrders: 1,
      settling: [],
      orders: [
        {
          orderId: 'order-1',
          leg: 1,
          marketId: 'm1',
          marketName: 'Will m1 happen?',
          tokenId: 'm1-yes',
          outcome: 'Yes',
          sellSize: 10_000_000,
          limitPrice: 440_000,
          averagePrice: 444_000,
          proceeds: 4_440_000,
          fee: 39_600 + 59_140,
          originalValue: 4_000_000,
          buyFees: 100_000,
        },
      ],
      totalOriginalValue: 4_000_000,
      estimatedProceeds: 4_440_000,
      estimatedFees: 98_740,
      buyFees: 100_000,
      estimatedProfit: 4_440_000 - 98_740 - 4_100_000,
      estimatedProfitPct: 5_884_390,
      averageOriginalPrice: 400_000,
      averageSellPrice: 444_000,
      warnings: [],
      errors: [],
    });
    const plan = planSale(sellRequest(orders));
    expect(plan).toMatchObject({ totalOrders: 2, sellableOrders: 1 });
    expect(plan.errors).toEqual(['Leg 2 (Yes, "Will m2 happen?"): the venue does not say what fee it takes']);
  });

  it('sells in the steps of its market, and leaves what no order of it can sell', () => {
    const rules = { sizeStep: sharesFromNumber(1) };
    const plan = planSale(sellRequest([sellable(1, [[0.5, 50]], { fills: [fillOf(9.5, 0.4)], rules })]));
    expect(plan.orders).toMatchObject([{ sellSize: 9_000_000 }]);
    const dollars = { saleAmountStep: usdFromNumber(1) };
    const whole = planSale(sellRequest([sellable(1, [[0.5, 50]], { fills: [fillOf(9.5, 0.4)], rules: dollars })]));
    expect(whole.orders).toMatchObject([{ sellSize: 9_000_000, proceeds: 4_500_000 }]);
  });

  it('sells what the venue holds where it took its fee in shares; that bears the whole cost', () => {
    const plan = planSale(sellRequest([sellable(1, [[0.5, 50]])], { held: { 'm1-yes': 9.967 } }));
    expect(plan.orders).toMatchObject([{ sellSize: 9_960_000, originalValue: 4_000_000, buyFees: 100_000 }]);
    expect(plan.warnings).toEqual(['Leg 1 (Yes, "Will m1 happen?"): 9.967 of its 10 shares are held at the venue']);
    expect(plan.errors).toEqual([]);
  });

  it('sells at the custom price or better, and only what bids reach it', () => {
    const bids = [
      [0.45, 6],
      [0.44, 20],
    ] as const;
    const plan = planSale(sellRequest([sellable(1, bids)], { prices: { 'm1-yes': 0.45 } }));
    expect(plan.orders).toMatchObject([{ sellSize: 6_000_000, limitPrice: 450_000, originalValue: 2_400_000 }]);
    expect(plan.warnings).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): the bids take 6 of 10 shares',
      'Leg 1 (Yes, "Will m1 happen?"): 4 shares would be left, fewer than the 5 of a resting order: only bids that are there can take them',
    ]);
    const low = planSale(sellRequest([sellable(1, bids)], { prices: { 'm1-yes': 0.4 } }));
    expect(low.orders).toMatchObject([{ sellSize: 10_000_000, limitPrice: 400_000, averagePrice: 446_000 }]);
  });

  it('says nothing of what is left where that is enough for a resting order', () => {
    for (const [bidFor, left] of [
      [5, 5],
      [4, 6],
    ] as const) {
      const plan = planSale(sellRequest([sellable(1, [[0.45, bidFor]])]));
      const taken = `the bids take ${bidFor} of 10 shares`;
      expect(plan.warnings, `${left} left`).toEqual([`Leg 1 (Yes, "Will m1 happen?"): ${taken}`]);
    }
  });

  it('never sells below a custom price that lies between two of the market', () => {
    const plan = planSale(sellRequest([sellable(1, [[0.45, 20]])], { prices: { 'm1-yes': 0.4401 } }));
    expect(plan.orders[0]?.limitPrice).toBe(450_000);
    expect(plan.warnings).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 0.4401 is between two prices of the market, 0.45 is used',
    ]);
  });

  it.each([0, 0.995, 1])('refuses %d as a custom price', (price) => {
    const plan = planSale(sellRequest([sellable(1, [[0.45, 20]])], { prices: { 'm1-yes': price } }));
    expect(plan.orders).toEqual([]);
    expect(plan.errors).toEqual([
      `Leg 1 (Yes, "Will m1 happen?"): ${price} is no price, the market takes 0.01 to 0.99`,
    ]);
  });

  it('takes the lowest and the highest price of the market as custom prices', () => {
    for (const price of [0.01, 0.99]) {
      const plan = planSale(sellRequest([sellable(1, [[0.99, 20]])], { prices: { 'm1-yes': price } }));
      expect(plan.orders[0]?.limitPrice).toBe(price * 1_000_000);
    }
  });

  it('keeps custom prices on a grid that does not end at a dollar', () => {
    const at = (price: number) => {
      const order = sellable(1, [[0.99, 20]], { rules: { tick: tickFromText('0.03') } });
      return planSale(sellRequest([order], { prices: { 'm1-yes': price } }));
    };
    expect(at(0.96).orders[0]?.limitPrice).toBe(960_000);
    expect(at(0.97).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 0.97 is no price, the market takes 0.03 to 0.96',
    ]);
  });

  it('rounds prices down, and puts a limit between two prices of the grid on the lower one', () => {
    const order = sellable(
      1,
      [
        [0.45, 5],
        [0.445, 10],
      ],
      { fills: [fillOf(15, 0.4)] },
    );
    const plan = planSale(sellRequest([order]));
    expect(plan.orders).toMatchObject([{ limitPrice: 440_000, averagePrice: 446_666 }]);
    expect(plan.averageSellPrice).toBe(446_666);
  });

  it('refuses a price for a token that the batch does not hold', () => {
    const { errors } = planSale(sellRequest([sellable(1, [[0.45, 20]])], { prices: { other: 0.4 } }));
    expect(errors).toEqual(['A price of 0.4 is given for token other, of which there is no order']);
  });

  it.each([
    { name: 'there are no bids', order: sellable(1, []), says: 'there are no bids' },
    {
      name: 'the market is closed',
      order: sellable(1, [[0.4, 20]], { rules: { closed: true } }),
      says: 'the market takes no orders',
    },
    {
      name: 'the market takes no orders',
      order: sellable(1, [[0.4, 20]], { rules: { acceptingOrders: false } }),
      says: 'the market takes no orders',
    },
    {
      name: 'too few shares for the venue',
      order: sellable(1, [[0.4, 20]], { fills: [fillOf(0.009, 0.4)] }),
      says: '0.009 shares are less than the venue trades',
    },
    {
      name: 'bids of less than the venue trades',
      order: sellable(1, [[0.4, 0.009]]),
      says: 'the bids take less than the venue trades',
    },
  ])('leaves shares where $name, and sells the others', ({ order, says }) => {
    const alone = planSale(sellRequest([order]));
    expect(alone).toMatchObject({ orders: [], errors: ['Nothing can be sold now'] });
    expect(alone).toMatchObject({
      estimatedProfit: 0,
      estimatedProfitPct: 0,
      averageOriginalPrice: 0,
      averageSellPrice: 0,
    });
    expect(alone.warnings).toEqual([`Leg 1 (Yes, "Will m1 happen?"): ${says}`]);
    const both = planSale(sellRequest([order, sellable(2, [[0.4, 20]])]));
    expect(both.errors).toEqual([]);
    expect(both.orders.map(({ leg }) => leg)).toEqual([2]);
  });

  it('sells less than a resting order needs: the minimum is not for what is filled at once', () => {
    const remainder = sellable(1, [[0.4, 20]], { sales: [fillOf(8, 0.5)] });
    expect(planSale(sellRequest([remainder]))).toMatchObject({ orders: [{ sellSize: 2_000_000 }], warnings: [] });
  });

  it('sells only what the venue has credited the batch with, whatever the account holds', () => {
    const fills = [
      { ...fillOf(4, 0.4), tradeId: 'credited', settlement: 'mined' as const },
      { ...fillOf(6, 0.4), tradeId: 'new', settlement: 'matched' as const },
    ];
    const held = { held: { 'm1-yes': 100 } };
    const part = planSale(sellRequest([sellable(1, [[0.5, 50]], { fills })], held));
    expect(part.orders).toMatchObject([{ sellSize: 4_000_000, originalValue: 1_600_000 }]);
    expect(part.settling).toEqual([{ orderId: 'order-1', shares: 6_000_000 }]);
    expect(part.warnings).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 6 of its 10 shares are still being settled and cannot be sold yet',
    ]);
    const asked = sellable(1, [[0.5, 50]], { fills, wanted: sharesFromNumber(5) });
    expect(planSale(sellRequest([asked], held)).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 5 shares are more than the 4 that are there to sell, 6 are still being settled',
    ]);
    const none = sellable(2, [[0.5, 50]], { fills: fills.slice(1) });
    const plan = planSale({ ...sellRequest([none]), freeByToken: new Map() });
    expect(plan.errors).toEqual([
      'Leg 2 (Yes, "Will m2 happen?"): its 6 shares are still being settled and can be sold once the venue has credited them, which takes seconds as a rule',
    ]);
  });

  it('keeps shares and dollars of a sale on a fine tick to what the venue can represent', () => {
    const at = (tick: string, price: number) => {
      const rules = { tick: tickFromText(tick) };
      return planSale(sellRequest([sellable(1, [[price, 50]], { fills: [fillOf(10.37, 0.4)], rules })])).orders[0]
        ?.sellSize;
    };
    expect(at('0.01', 0.45)).toBe(10_370_000);
    expect(at('0.001', 0.45)).toBe(10_370_000);
    expect(at('0.001', 0.451)).toBe(10_300_000);
    expect(at('0.0001', 0.4511)).toBe(10_000_000);
    expect(at('0.0025', 0.4525)).toBe(10_360_000);
  });

  it('says when no bid reaches the custom price', () => {
    const { warnings } = planSale(sellRequest([sellable(1, [[0.4, 20]])], { prices: { 'm1-yes': 0.5 } }));
    expect(warnings).toEqual(['Leg 1 (Yes, "Will m1 happen?"): no bid reaches 0.5, the best bid is 0.4']);
    const dust = planSale(sellRequest([sellable(1, [[0.5, 0.009]])], { prices: { 'm1-yes': 0.5 } }));
    expect(dust.warnings).toEqual(['Leg 1 (Yes, "Will m1 happen?"): the bids take less than the venue trades']);
  });

  it.each([
    {
      name: 'market',
      changes: { market: undefined },
      says: 'Leg 1 (Yes, market m1): the venue does not know this market',
    },
    {
      name: 'book',
      changes: { bids: null },
      says: 'Leg 1 (Yes, "Will m1 happen?"): there is no order book to be trusted',
    },
  ])('sends nothing while the $name is not known', ({ changes, says }) => {
    expect(planSale(sellRequest([sellable(1, [[0.4, 20]], changes)]))).toMatchObject({ errors: [says], warnings: [] });
  });

  it('sends nothing while the holding is not known', () => {
    const request = sellRequest([sellable(1, [[0.4, 20]])]);
    expect(planSale({ ...request, freeByToken: new Map() }).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): the venue has not said how many shares are held',
    ]);
  });

  it('sells the rest of a batch of which one market has closed, whatever is not known of the closed one any more', () => {
    const closed = sellable(1, [], { bids: null, rules: { closed: true, feeSchedule: null } });
    const request = sellRequest([closed, sellable(2, [[0.4, 20]])], { held: { 'm2-yes': 10 } });
    const plan = planSale({
      ...request,
      freeByToken: new Map([...request.freeByToken].filter(([id]) => id !== 'm1-yes')),
    });
    expect(plan).toMatchObject({ errors: [], orders: [{ orderId: 'order-2', sellSize: 10_000_000 }] });
    expect(plan.warnings).toEqual(['Leg 1 (Yes, "Will m1 happen?"): the market takes no orders']);
  });

  it('points out a limit far below the best bid', () => {
    const bids = [
      [0.4, 6],
      [0.38, 6],
    ] as const;
    expect(planSale(sellRequest([sellable(1, bids)], { maxDeviation: 0.05 })).warnings).toEqual([]);
    expect(planSale(sellRequest([sellable(1, bids)], { maxDeviation: 0.0499 })).warnings).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): it may sell down to 0.38, the best bid is 0.4',
    ]);
  });

  it('skips what holds nothing, what is being sold and what was sold', () => {
    const orders = [
      sellable(1, [[0.4, 20]], { fills: [] }),
      sellable(2, [[0.4, 20]], { inSale: sharesFromNumber(10) }),
      sellable(3, [[0.4, 20]], { sales: [fillOf(10, 0.5)] }),
      sellable(4, [[0.4, 20]], { sales: [fillOf(4, 0.5)], inSale: sharesFromNumber(1) }),
    ];
    const plan = planSale(sellRequest(orders));
    expect(plan).toMatchObject({ totalOrders: 4, sellableOrders: 1, warnings: [], errors: [] });
    expect(plan.orders).toMatchObject([{ leg: 4, sellSize: 5_000_000, originalValue: 2_000_000, buyFees: 50_000 }]);
  });

  it('sells the part that is asked for, and refuses more than there is', () => {
    const part = (shares: number, rest = {}) =>
      planSale(sellRequest([sellable(1, [[0.4, 20]], { wanted: sharesFromNumber(shares), ...rest })]));
    expect(part(6).orders).toMatchObject([{ sellSize: 6_000_000, originalValue: 2_400_000 }]);
    expect(part(10).errors).toEqual([]);
    expect(part(10.01).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 10.01 shares are more than the 10 that are there to sell',
    ]);
    expect(part(6, { fills: [] }).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): none of its shares are there to sell',
    ]);
  });

  it('shares what is held and bid between orders of one token', () => {
    const bids = [
      [0.45, 12],
      [0.44, 20],
    ] as const;
    const twin = sellable(1, bids, { orderId: 'order-2', leg: 2 });
    const plan = planSale(sellRequest([sellable(1, bids), twin], { held: { 'm1-yes': 18 } }));
    expect(plan.orders.map(({ sellSize, proceeds }) => [sellSize, proceeds])).toEqual([
      [10_000_000, 4_500_000],
      [8_000_000, 900_000 + 2_640_000],
    ]);
    expect(plan.warnings).toEqual(['Leg 2 (Yes, "Will m1 happen?"): 8 of its 10 shares are held at the venue']);
  });

  it('says once, of the last order of a token, how far below the best bid all of them sell', () => {
    const bids = [
      [0.45, 10],
      [0.4, 20],
    ] as const;
    const twin = sellable(1, bids, { orderId: 'order-2' });
    const request = sellRequest([sellable(1, bids), twin], { held: { 'm1-yes': 20 }, maxDeviation: 0.05 });
    expect(planSale(request)).toMatchObject({
      sellableOrders: 2,
      warnings: ['Leg 1 (Yes, "Will m1 happen?"): it may sell down to 0.4, the best bid is 0.45'],
    });
  });
});

describe('a sale that waits', () => {
  const waiting = (order: ReturnType<typeof sellable>, price: number) =>
    planSale({ ...sellRequest([order], { prices: { [order.tokenId]: price } }), waits: true });

  it('rests all shares at its price, above the bids, with the fee of a standing order', () => {
    const makerFeeSchedule = { rate: fractionFromNumber(0.01), step: usdFromNumber(0.00001) };
    const plan = waiting(sellable(1, [[0.45, 4]], { rules: { makerFeeSchedule } }), 0.6);
    expect(plan).toMatchObject({
      orders: [{ sellSize: 10_000_000, limitPrice: 600_000, averagePrice: 600_000, proceeds: 6_000_000, fee: 24_000 }],
      estimatedProfit: 6_000_000 - 24_000 - 4_100_000,
      warnings: [],
      errors: [],
    });
    expect(waiting(sellable(1, []), 0.6).errors).toEqual([]);
  });

  it('is not planned where a bid reaches its price, or where it is fewer shares than may rest', () => {
    expect(waiting(sellable(1, [[0.6, 1]]), 0.6).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): a bid of 0.6 reaches 0.6 now: sell at once instead',
    ]);
    const few = { wanted: sharesFromNumber(4), rules: { minOrderSize: sharesFromNumber(5) } };
    expect(waiting(sellable(1, [], few), 0.6).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 4 shares are fewer than the 5 of an order that waits',
    ]);
    expect(waiting(sellable(1, [], { wanted: sharesFromNumber(11) }), 0.6).errors).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 11 shares are more than the 10 that are there to sell',
    ]);
  });

  it('waits at the higher of two prices of the market', () => {
    const plan = waiting(sellable(1, [[0.45, 4]]), 0.605);
    expect(plan.orders[0]?.limitPrice).toBe(610_000);
    expect(plan.warnings).toEqual([
      'Leg 1 (Yes, "Will m1 happen?"): 0.605 is between two prices of the market, 0.61 is used',
    ]);
  });

  it('does not wait where an own buy would meet it', () => {
    const order = sellable(1, [[0.45, 4]]);
    const own = {
      ...{ batchId: 'b', batchName: null },
      marketId: 'm1',
      tokenId: order.tokenId,
      side: 'buy' as const,
      price: priceFromNumber(0.6),
    };
    const request = { ...sellRequest([order], { prices: { [order.tokenId]: 0.6 } }), ownOrders: [own], waits: true };
    expect(planSale(request).errors).toEqual([
      expect.stringContaining('it would trade with our own order to buy at 0.6'),
    ]);
  });
});
