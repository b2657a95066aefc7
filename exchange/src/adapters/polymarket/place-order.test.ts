import { OrderType, Side } from '@polymarket/clob-client-v2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, type ListedMarket, openFixture, signedCall, type Trader } from './exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let market: ListedMarket;
let yes: string;

beforeAll(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const [first] = (await fixture.markets()).filter(({ negRisk }) => !negRisk);
  if (first === undefined) throw new Error('the catalogue lists standard markets');
  market = first;
  [yes] = market.tokens;
});

afterAll(() => fixture.exchange.close());

beforeEach(async () => {
  await trader.client.cancelAll();
  await fixture.control('balance', { usd: '10000' });
  await fixture.control('book', {
    token_id: yes,
    bids: [{ price: '0.4', size: '100' }],
    asks: [
      { price: '0.5', size: '20' },
      { price: '0.52', size: '20' },
    ],
  });
});

interface Case {
  readonly of: string;
  readonly type: OrderType;
  readonly price: number;
  readonly size: number;
  readonly side?: Side;
  readonly postOnly?: boolean;
  readonly answer: object;
}

const MATCHED = { success: true, errorMsg: '', status: 'matched' };

const CASES: readonly Case[] = [
  {
    of: 'GTC below the asks rests',
    type: OrderType.GTC,
    price: 0.45,
    size: 10,
    answer: { status: 'live', takingAmount: '' },
  },
  {
    of: 'GTC through two levels buys exactly its shares',
    type: OrderType.GTC,
    price: 0.52,
    size: 30,
    answer: { ...MATCHED, takingAmount: '30', makingAmount: '15.2' },
  },
  {
    of: 'GTC beyond the depth fills what there is and rests',
    type: OrderType.GTC,
    price: 0.52,
    size: 50,
    answer: { ...MATCHED, takingAmount: '40', makingAmount: '20.4' },
  },
  {
    of: 'FOK spends exactly its dollars and gets more shares for a better price',
    type: OrderType.FOK,
    price: 0.52,
    size: 25,
    answer: { ...MATCHED, makingAmount: '13', takingAmount: '25.76923' },
  },
  {
    of: 'FAK beyond the depth fills what there is',
    type: OrderType.FAK,
    price: 0.52,
    size: 100,
    answer: { ...MATCHED, takingAmount: '40', makingAmount: '20.4' },
  },
];

async function post({ type, price, size, side = Side.BUY, postOnly = false }: Omit<Case, 'of' | 'answer'>) {
  const order = await trader.client.createOrder({ tokenID: yes, price, size, side });
  return trader.client.postOrder(order, type, postOnly, true);
}

describe('placing an order', () => {
  for (const { of, answer, ...request } of CASES) {
    it(of, async () => {
      expect(await post(request)).toMatchObject(answer);
    });
  }

  it.each([
    [
      'FOK beyond the depth',
      { type: OrderType.FOK, price: 0.52, size: 100 },
      "order couldn't be fully filled. FOK orders are fully filled or killed.",
    ],
    [
      'FAK that finds nothing',
      { type: OrderType.FAK, price: 0.48, size: 100 },
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
    ],
    [
      'post-only that would trade',
      { type: OrderType.GTC, price: 0.5, size: 10, postOnly: true },
      'invalid post-only order: order crosses book',
    ],
    ['more than the account has', { type: OrderType.GTC, price: 0.45, size: 30_000 }, 'not enough balance / allowance'],
    [
      'selling what it does not hold',
      { type: OrderType.GTC, price: 0.6, size: 10, side: Side.SELL },
      'not enough balance / allowance',
    ],
    [
      'a marketable buy below one dollar',
      { type: OrderType.FOK, price: 0.5, size: 1 },
      'invalid amount for a marketable BUY order ($0.5), min size: $1',
    ],
    [
      'an immediate buy with odd cents',
      { type: OrderType.FOK, price: 0.52, size: 20.01 },
      'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals',
    ],
  ])('refuses %s with the venue’s words', async (_name, request, error) => {
    await expect(post(request)).rejects.toMatchObject({ status: 400, message: error });
    expect(await trader.client.getOpenOrders()).toEqual([]);
  });

  it.each([
    ['0.01', '0.001', 0.52, 4],
    ['0.001', '0.0001', 0.523, 5],
  ] as const)(
    'takes for dollars at a tick of %s as many decimals of a share as the official client signs, and none of %s',
    async (tick, finer, price, decimals) => {
      await fixture.control('tick_size', { token_id: yes, tick_size: tick });
      const buyBy = async (signedTick: typeof tick | typeof finer) => {
        trader.client.tickSizes[yes] = signedTick;
        const order = await trader.client.createMarketOrder({ tokenID: yes, side: Side.BUY, amount: 10, price });
        return await trader.client.postOrder(order, OrderType.FAK, false, true);
      };
      try {
        expect(await buyBy(tick)).toMatchObject({ ...MATCHED, makingAmount: '10' });
        await expect(buyBy(finer)).rejects.toMatchObject({
          status: 400,
          message: `invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of ${decimals} decimals`,
        });
      } finally {
        delete trader.client.tickSizes[yes];
        await fixture.control('tick_size', { token_id: yes, tick_size: '0.01' });
      }
    },
  );

  it.each([
    ['0.001', 0.391, 10.1, '4.04'],
    ['0.0025', 0.3925, 10.04, '4.016'],
    ['0.0001', 0.3925, 10.04, '4.016'],
  ] as const)(
    'takes four decimals of a dollar for shares at a tick of %s, where the official client signs more',
    async (tick, price, fitting, takingAmount) => {
      await fixture.control('split', { condition_id: market.conditionId, amount: '11' });
      await fixture.control('tick_size', { token_id: yes, tick_size: tick });
      trader.client.tickSizes[yes] = tick;
      const sell = async (shares: number) => {
        const order = await trader.client.createMarketOrder({ tokenID: yes, side: Side.SELL, amount: shares, price });
        return await trader.client.postOrder(order, OrderType.FAK, false, true);
      };
      try {
        await expect(sell(10.01)).rejects.toMatchObject({
          status: 400,
          message:
            'invalid amounts, the sell orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals',
        });
        expect(await sell(fitting)).toMatchObject({ ...MATCHED, makingAmount: String(fitting), takingAmount });
      } finally {
        delete trader.client.tickSizes[yes];
        await fixture.control('tick_size', { token_id: yes, tick_size: '0.01' });
      }
    },
  );

  it('names the order, its size and the rule when it is too small or off the grid', async () => {
    const small = await trader.client.createOrder({ tokenID: yes, price: 0.45, size: 4, side: Side.BUY });
    await expect(trader.client.postOrder(small)).rejects.toThrow(
      /^order 0x[0-9a-f]{64} is invalid\. Size \(4\) lower than the minimum: 5$/,
    );
    trader.client.tickSizes[yes] = '0.001';
    const fine = await trader.client.createOrder({ tokenID: yes, price: 0.455, size: 10, side: Side.BUY });
    trader.client.tickSizes[yes] = '0.01';
    await expect(trader.client.postOrder(fine)).rejects.toThrow(
      /is invalid\. Price \(0\.455\) breaks minimum tick size rule: 0\.01$/,
    );
  });

  it('refuses the identical signed order with Duplicated, whatever became of the first', async () => {
    const order = await trader.client.createOrder({ tokenID: yes, price: 0.5, size: 5, side: Side.BUY });
    const first = await trader.client.postOrder(order, OrderType.GTC, false, true);
    await expect(trader.client.postOrder(order, OrderType.GTC)).rejects.toThrow(
      `order ${first.orderID} is invalid. Duplicated.`,
    );
    expect((await fixture.state()).orders.filter(({ id }) => id === first.orderID)).toHaveLength(1);
  });

  it('refuses an order signed for the other exchange contract', async () => {
    const order = await trader.client.createOrder(
      { tokenID: yes, price: 0.45, size: 5, side: Side.BUY },
      { tickSize: '0.01', negRisk: true },
    );
    await expect(trader.client.postOrder(order)).rejects.toMatchObject({ status: 400, message: 'invalid signature' });
  });

  it('answers a batch entry by entry: refused ones with success, a message and no id', async () => {
    const good = await trader.client.createOrder({ tokenID: yes, price: 0.45, size: 5, side: Side.BUY });
    const bad = await trader.client.createOrder({ tokenID: yes, price: 0.45, size: 1, side: Side.BUY });
    const args = [good, bad].map((order) => ({ order, orderType: OrderType.GTC }));
    expect(await trader.client.postOrders(args, false, true)).toMatchObject([
      { success: true, errorMsg: '', status: 'live' },
      { success: true, errorMsg: expect.stringContaining('lower than the minimum'), orderID: '' },
    ]);
    const many = Array.from({ length: 16 }, () => args[0]).filter((arg) => arg !== undefined);
    await expect(trader.client.postOrders(many)).rejects.toThrow('Too many orders in payload: 16, max allowed: 15');
  });

  it('refuses a malformed body, a foreign owner and an unsigned call', async () => {
    expect(await signedCall(fixture, trader, 'POST', '/order', '{')).toMatchObject({ status: 400 });
    expect(await signedCall(fixture, trader, 'POST', '/order', '{"order":{}}')).toMatchObject({
      status: 400,
      body: { error: 'Invalid order payload' },
    });
    const unsigned = await fetch(`${fixture.exchange.url}/order`, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(401);
    expect(await unsigned.json()).toEqual({ error: 'Unauthorized/Invalid api key' });
  });

  it('takes a GTD order off a minute before it expires, and refuses one that expires too soon', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const gtd = { tokenID: yes, price: 0.45, size: 5, side: Side.BUY };
    const soon = await trader.client.createOrder({ ...gtd, expiration: seconds + 60 });
    await expect(trader.client.postOrder(soon, OrderType.GTD)).rejects.toThrow('invalid expiration');
    const later = await trader.client.createOrder({ ...gtd, expiration: seconds + 600 });
    const placed = await trader.client.postOrder(later, OrderType.GTD);
    await fixture.control('clock', { advance_ms: 500_000 });
    expect(await trader.client.getOrder(placed.orderID)).toMatchObject({ status: 'LIVE' });
    await fixture.control('clock', { advance_ms: 50_000 });
    expect(await trader.client.getOrder(placed.orderID)).toMatchObject({ status: 'CANCELED' });
  });

  it('sells what is left of a position, however small, down to the limit', async () => {
    await fixture.control('split', { condition_id: market.conditionId, amount: '3' });
    const placed = await post({ type: OrderType.FAK, price: 0.39, size: 3, side: Side.SELL });
    expect(placed).toMatchObject({ ...MATCHED, makingAmount: '3', takingAmount: '1.2' });
  });

  it('explains what it did not cancel', async () => {
    const filled = await post({ type: OrderType.GTC, price: 0.5, size: 5 });
    expect(await trader.client.cancelOrders([filled.orderID, '0x1'])).toEqual({
      canceled: [],
      not_canceled: {
        [filled.orderID]: 'already canceled or matched',
        '0x1': 'Order not found or already canceled',
      },
    });
  });
});
