import { AssetType, OrderType, Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Fixture,
  openFixture,
  StreamClient,
  signedCall,
  type Trader,
} from '../adapters/polymarket/exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let yes: string;

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const [market] = await fixture.markets();
  if (market === undefined) throw new Error('the catalogue lists markets');
  [yes] = market.tokens;
  await fixture.control('book', {
    token_id: yes,
    bids: [{ price: '0.4', size: '100' }],
    asks: [{ price: '0.5', size: '100' }],
  });
});

afterEach(() => fixture.exchange.close());

async function buy(size: number, type: OrderType = OrderType.GTC) {
  const order = await trader.client.createOrder({ tokenID: yes, price: 0.5, size, side: Side.BUY });
  return trader.client.postOrder(order, type, false, true);
}

async function userStream(): Promise<StreamClient> {
  const { key: apiKey, secret, passphrase } = trader.creds;
  const user = await StreamClient.open(fixture.exchange, 'user', {
    auth: { apiKey, secret, passphrase },
    type: 'user',
  });
  await user.untilAnswered();
  return user;
}

/** What it was told, without the answers to its pings. */
function eventsOf({ frames }: StreamClient): { type: string; status: string }[] {
  return frames.filter((frame) => typeof frame === 'object') as { type: string; status: string }[];
}

const orders = async () => (await fixture.state()).orders;

describe('faults', () => {
  it('accept_then_500: the answer is an error, the order exists, the next call is served', async () => {
    await fixture.control('faults', { name: 'accept_then_500' });
    await expect(buy(10)).rejects.toMatchObject({ status: 500, message: 'could not insert order' });
    expect(await orders()).toMatchObject([{ size_matched: '10' }]);
    expect(await buy(10)).toMatchObject({ status: 'matched' });
  });

  it('drop_response: the socket closes without an answer, the order exists', async () => {
    await fixture.control('faults', { name: 'drop_response', times: 1 });
    await expect(buy(10)).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await orders()).toHaveLength(1);
  });

  it('drop_response with before: the socket closes without an answer and nothing was recorded', async () => {
    await fixture.control('faults', { name: 'drop_response', before: true });
    const order = await trader.client.createOrder({ tokenID: yes, price: 0.5, size: 10, side: Side.BUY });
    await expect(trader.client.postOrder(order)).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await orders()).toEqual([]);
    expect(await trader.client.postOrder(order, OrderType.GTC, false, true)).toMatchObject({ status: 'matched' });
  });

  it('hang: the answer comes late, the order is there at once', async () => {
    await fixture.control('faults', { name: 'hang', ms: 150 });
    const placing = buy(10);
    const order = await trader.client.createOrder({ tokenID: yes, price: 0.3, size: 5, side: Side.BUY });
    await trader.client.postOrder(order);
    expect(await placing).toMatchObject({ status: 'matched' });
    expect(await orders()).toHaveLength(2);
  });

  it('rate_limit_429 and restart_425: refused before anything happens', async () => {
    await fixture.control('faults', { name: 'rate_limit_429' });
    const limited = await signedCall(fixture, trader, 'POST', '/order', '{}');
    expect(limited).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } });
    expect(limited.headers.get('retry-after')).toBe('1');
    await fixture.control('faults', { name: 'restart_425' });
    expect(await signedCall(fixture, trader, 'DELETE', '/cancel-all')).toMatchObject({ status: 425, body: '' });
    expect(await orders()).toEqual([]);
  });

  it('strikes only the token it names, and as often as it was told', async () => {
    await fixture.control('faults', { name: 'restart_425', token_id: 'another', times: 2 });
    expect(await buy(10)).toMatchObject({ status: 'matched' });
    const listed = (await (await fetch(`${fixture.exchange.url}/_control/faults`)).json()) as { active: object[] };
    expect(listed.active).toMatchObject([{ name: 'restart_425', remaining: 2 }]);
  });

  it('stale_book: a ghost book while the price is right', async () => {
    await fixture.control('faults', { name: 'stale_book', token_id: yes });
    const ghost = await trader.client.getOrderBook(yes);
    expect([ghost.bids, ghost.asks]).toMatchObject([[{ price: '0.01' }], [{ price: '0.99' }]]);
    expect(await trader.client.getPrice(yes, 'BUY')).toEqual({ price: '0.4' });
    expect((await trader.client.getOrderBook(yes)).asks).toEqual([{ price: '0.5', size: '100' }]);
  });

  it('partial_fill: only part of the liquidity can be had, the rest of the order rests uncrossed', async () => {
    await fixture.control('faults', { name: 'partial_fill', fraction: 0.3 });
    expect(await buy(10)).toMatchObject({ status: 'matched', takingAmount: '3' });
    expect(await orders()).toMatchObject([{ status: 'LIVE', size_matched: '3', original_size: '10' }]);
    const book = await trader.client.getOrderBook(yes);
    expect(book.asks).toEqual([]);
    expect(book.bids.at(-1)).toEqual({ price: '0.5', size: '7' });
  });

  it('fail_settlement: the trade goes to FAILED and the money comes back', async () => {
    await fixture.control('faults', { name: 'fail_settlement' });
    await buy(10);
    expect((await fixture.state()).trades).toMatchObject([{ status: 'MATCHED' }]);
    await fixture.control('clock', { advance_ms: 1_000 });
    expect((await fixture.state()).trades).toMatchObject([{ status: 'RETRYING' }]);
    await fixture.control('clock', { advance_ms: 1_000 });
    const { account, trades } = await fixture.state();
    expect(trades).toMatchObject([{ status: 'FAILED' }]);
    expect(account).toEqual({ usd: '10000', tokens: {} });
  });

  it('fail_settlement with recover: the trade confirms after a retry', async () => {
    await fixture.control('faults', { name: 'fail_settlement', recover: true });
    await buy(10);
    await fixture.control('clock', { advance_ms: 10_000 });
    expect((await fixture.state()).trades).toMatchObject([{ status: 'CONFIRMED' }]);
    expect((await fixture.state()).account.tokens).toEqual({ [yes]: '10' });
  });

  it('empty_positions: a holding reads as nothing, once', async () => {
    await buy(10);
    await fixture.control('clock', { advance_ms: 10_000 });
    await fixture.control('faults', { name: 'empty_positions' });
    const read = () => trader.client.getBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id: yes });
    expect(await read()).toMatchObject({ balance: '0' });
    expect(await read()).toMatchObject({ balance: '10000000' });
  });

  it('drop_delayed: the order is delayed, and then nothing anywhere tells of it', async () => {
    const user = await userStream();
    await fixture.control('faults', { name: 'drop_delayed', ms: 2_000 });
    const { orderID, status } = await buy(10);
    expect(status).toBe('delayed');
    expect(await trader.client.getOrder(orderID)).toMatchObject({ status: 'DELAYED', size_matched: '0' });
    await fixture.control('clock', { advance_ms: 2_000 });
    expect(await trader.client.getOrder(orderID)).toBeNull();
    expect(await trader.client.getOpenOrders({ id: orderID })).toEqual([]);
    expect(await trader.client.getTrades()).toEqual([]);
    await user.untilAnswered();
    expect(eventsOf(user)).toMatchObject([{ type: 'PLACEMENT', status: 'DELAYED' }]);
    expect(await orders()).toMatchObject([{ id: orderID, status: 'CANCELED' }]);
    user.close();
  });

  it('match_short: the order is matched, 0.002 of it never were, and nothing of it rests', async () => {
    await fixture.control('faults', { name: 'match_short' });
    expect(await buy(10)).toMatchObject({ status: 'matched', takingAmount: '9.998' });
    expect(await orders()).toMatchObject([{ status: 'MATCHED', size_matched: '9.998', original_size: '10' }]);
    const book = await trader.client.getOrderBook(yes);
    expect([book.bids.at(-1), book.asks]).toEqual([{ price: '0.4', size: '100' }, [{ price: '0.5', size: '90.002' }]]);
  });

  it.each([{ silent: false }, { silent: true }])(
    'null_after_cancel, silent $silent: the exchange cancels what rests, and reads it as null',
    async ({ silent }) => {
      const user = await userStream();
      await fixture.control('faults', { name: 'null_after_cancel', silent });
      const order = await trader.client.createOrder({ tokenID: yes, price: 0.3, size: 10, side: Side.BUY });
      const { orderID } = await trader.client.postOrder(order);
      expect(await trader.client.getOrder(orderID)).toMatchObject({ status: 'LIVE' });
      await fixture.control('clock', { advance_ms: 1_000 });
      expect(await trader.client.getOrder(orderID)).toBeNull();
      expect(await trader.client.getOpenOrders({ id: orderID })).toEqual([]);
      expect((await trader.client.getOrderBook(yes)).bids).toEqual([{ price: '0.4', size: '100' }]);
      await user.untilAnswered();
      const reported = eventsOf(user).map(({ type }) => type);
      expect(reported).toEqual(silent ? ['PLACEMENT'] : ['PLACEMENT', 'CANCELLATION']);
      user.close();
    },
  );

  it('duplicate_user_events and reorder_user_events: events come twice, or in the wrong order', async () => {
    const user = await userStream();
    await fixture.control('faults', { name: 'reorder_user_events' });
    await buy(10);
    await user.untilAnswered();
    const kinds = () => eventsOf(user);
    expect(kinds().map(({ type }) => type)).toEqual(['TRADE', 'PLACEMENT', 'UPDATE']);
    await fixture.control('faults', { name: 'duplicate_user_events', times: 2 });
    await fixture.control('clock', { advance_ms: 10_000 });
    await user.untilAnswered();
    const settled = kinds().slice(3);
    expect(settled.map(({ status }) => status)).toEqual(['MINED', 'MINED', 'CONFIRMED', 'CONFIRMED']);
    user.close();
  });
});
