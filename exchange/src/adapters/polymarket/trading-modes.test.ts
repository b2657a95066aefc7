import { OrderType, Side } from '@polymarket/clob-client-v2';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Fixture, openFixture, signedCall, type Trader } from './exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let yes: string;

beforeAll(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const [market] = await fixture.markets();
  if (market === undefined) throw new Error('the catalogue lists markets');
  [yes] = market.tokens;
  await fixture.control('book', { token_id: yes, asks: [{ price: '0.5', size: '100' }] });
});

afterAll(() => fixture.exchange.close());

beforeEach(() => fixture.control('mode', { mode: 'normal' }));

const mode = (name: string) => fixture.control('mode', { mode: name });

async function buy(price: number, { postOnly = false } = {}) {
  const order = await trader.client.createOrder({ tokenID: yes, price, size: 10, side: Side.BUY });
  return trader.client.postOrder(order, OrderType.GTC, postOnly, true);
}

it('takes only post-only orders and cancels in post-only mode, and says for how long', async () => {
  await mode('post_only');
  await expect(buy(0.3)).rejects.toMatchObject({
    status: 503,
    message: 'post-only mode: only post-only orders and cancels are allowed',
  });
  await fixture.control('clock', { advance_ms: 30_000 });
  const answer = await signedCall(fixture, trader, 'POST', '/order', '{}');
  expect(answer).toMatchObject({
    status: 503,
    body: {
      error: 'post-only mode: only post-only orders and cancels are allowed',
      code: 'post_only_mode',
      retry_after_seconds: 90,
    },
  });
  expect(answer.headers.get('retry-after')).toBe('90');
  const resting = await buy(0.3, { postOnly: true });
  expect(resting).toMatchObject({ success: true, status: 'live' });
  expect(await trader.client.cancelOrder({ orderID: resting.orderID })).toMatchObject({ canceled: [resting.orderID] });
});

it('leaves post-only mode by itself after two minutes', async () => {
  await mode('post_only');
  await fixture.control('clock', { advance_ms: 120_000 });
  expect(await buy(0.3)).toMatchObject({ status: 'live' });
});

it('refuses a batch as a whole in post-only mode when one order of it is not post-only', async () => {
  await mode('post_only');
  const { orders } = await fixture.state();
  const order = await trader.client.createOrder({ tokenID: yes, price: 0.3, size: 10, side: Side.BUY });
  const args = [
    { order, orderType: OrderType.GTC, postOnly: true },
    { order, orderType: OrderType.GTC },
  ];
  await expect(trader.client.postOrders(args)).rejects.toMatchObject({ status: 503 });
  expect((await fixture.state()).orders).toEqual(orders);
});

it('takes cancels and no orders in cancel-only mode', async () => {
  const resting = await buy(0.3);
  await mode('cancel_only');
  await expect(buy(0.3, { postOnly: true })).rejects.toMatchObject({
    status: 503,
    message: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.',
  });
  expect(await trader.client.cancelOrder({ orderID: resting.orderID })).toMatchObject({ canceled: [resting.orderID] });
});

it('takes neither orders nor cancels while trading is disabled, and still answers reads', async () => {
  const resting = await buy(0.3);
  await mode('disabled');
  const refusal = { status: 503, message: 'Trading is currently disabled. Check polymarket.com for updates' };
  await expect(buy(0.3)).rejects.toMatchObject(refusal);
  await expect(trader.client.cancelOrder({ orderID: resting.orderID })).rejects.toMatchObject(refusal);
  expect(await trader.client.getOrder(resting.orderID)).toMatchObject({ status: 'LIVE' });
});
