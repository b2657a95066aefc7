import { OrderType, Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Fixture,
  type ListedMarket,
  openFixture,
  StreamClient,
  type Trader,
} from '../adapters/polymarket/exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let markets: ListedMarket[];
let market: ListedMarket;

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  markets = await fixture.markets();
  const [first] = markets;
  if (first === undefined) throw new Error('the catalogue lists markets');
  market = first;
});

afterEach(() => fixture.exchange.close());

const account = async () => (await fixture.state()).account;

describe('positions', () => {
  it('splits a dollar into both outcomes and merges them back', async () => {
    const [yes, no] = market.tokens;
    await fixture.control('split', { condition_id: market.conditionId, amount: '25' });
    expect(await account()).toEqual({ usd: '9975', tokens: { [yes]: '25', [no]: '25' } });
    await fixture.control('merge', { condition_id: market.conditionId, amount: '10' });
    expect(await account()).toEqual({ usd: '9985', tokens: { [yes]: '15', [no]: '15' } });
    await expect(fixture.control('merge', { condition_id: market.conditionId, amount: '16' })).rejects.toThrow(
      'not enough balance',
    );
  });

  it('cancels what stands in a resolved market, closes it and leaves the shares to be redeemed', async () => {
    const [yes] = market.tokens;
    await fixture.control('split', { condition_id: market.conditionId, amount: '25' });
    const resting = await trader.client.createAndPostOrder({ tokenID: yes, price: 0.05, size: 10, side: Side.BUY });
    await fixture.control('resolve', { condition_id: market.conditionId, outcome: 'Yes' });
    expect((await account()).tokens).toEqual(Object.fromEntries(market.tokens.map((tokenId) => [tokenId, '25'])));
    await fixture.control('redeem', { condition_id: market.conditionId });
    expect(await account()).toEqual({ usd: '10000', tokens: {} });
    expect(await trader.client.getOrder(resting.orderID)).toMatchObject({ status: 'CANCELED_MARKET_RESOLVED' });
    expect(await trader.client.getMarket(market.conditionId)).toMatchObject({
      closed: true,
      accepting_orders: false,
      tokens: [{ winner: true }, { winner: false }],
    });
    const url = `${fixture.exchange.url}/gamma/markets?closed=true&condition_ids=${market.conditionId}`;
    const closed = await fetch(url);
    expect(await closed.json()).toMatchObject([{ conditionId: market.conditionId, outcomePrices: '["1","0"]' }]);
  });

  it('redeems for all accounts after a delay, where that is switched on', async () => {
    await fixture.control('auto_redeem', { on: true, delay_ms: 60_000 });
    await fixture.control('split', { condition_id: market.conditionId, amount: '25' });
    await fixture.control('resolve', { condition_id: market.conditionId, outcome: 'No' });
    await fixture.control('clock', { advance_ms: 59_999 });
    expect((await account()).usd).toBe('9975');
    await fixture.control('clock', { advance_ms: 1 });
    expect(await account()).toEqual({ usd: '10000', tokens: {} });
  });

  it('keeps the fee of a negative-risk event back of the dollars and of the YES alike', async () => {
    const { event } = await eventOf(market);
    const [first, second, third] = event;
    const chosen = [first, second].flatMap((entry) => entry ?? []);
    await fixture.control('market', { condition_id: market.conditionId, neg_risk_fee_bips: 50 });
    for (const { conditionId } of chosen) await fixture.control('split', { condition_id: conditionId, amount: '10' });
    await fixture.control('convert', { condition_ids: chosen.map((entry) => entry.conditionId), amount: '10' });
    const { usd, tokens } = await account();
    expect(usd).toBe('9989.95');
    expect(tokens[JSON.parse(third?.clobTokenIds ?? '[]')[0]]).toBe('9.95');
  });

  it('converts NO on two outcomes into a dollar and YES on all the others', async () => {
    const { event } = await eventOf(market);
    const [first, second, ...others] = event;
    const chosen = [first, second].flatMap((entry) => entry ?? []);
    for (const { conditionId } of chosen) await fixture.control('split', { condition_id: conditionId, amount: '10' });
    await fixture.control('convert', { condition_ids: chosen.map((entry) => entry.conditionId), amount: '10' });
    const { usd, tokens } = await account();
    expect(usd).toBe('9990');
    for (const { clobTokenIds } of event) expect(tokens[JSON.parse(clobTokenIds)[0]]).toBe('10');
    for (const { clobTokenIds } of event) expect(tokens[JSON.parse(clobTokenIds)[1]]).toBeUndefined();
    expect(others.length).toBeGreaterThan(0);
  });
});

describe('the market and its clock', () => {
  it('stops accepting orders when closed', async () => {
    await fixture.control('close', { condition_id: market.conditionId });
    const order = { tokenID: market.tokens[0], price: 0.05, size: 10, side: Side.BUY };
    await expect(trader.client.createAndPostOrder(order)).rejects.toThrow(
      'the market is not yet ready to process new orders',
    );
  });

  it('holds marketable orders of a delayed market back, and matches them when the delay is over', async () => {
    const [yes] = market.tokens;
    const asks = [{ price: '0.5', size: '6' }];
    await fixture.control('book', { token_id: yes, bids: [{ price: '0.4', size: '50' }], asks });
    await fixture.control('delay', { condition_id: market.conditionId, ms: 3_000 });
    const buy = { tokenID: yes, price: 0.5, size: 6, side: Side.BUY };
    const held = await trader.client.createAndPostOrder(buy);
    expect(held).toMatchObject({ success: true, status: 'delayed', takingAmount: '' });
    expect(await trader.client.cancelOrder({ orderID: held.orderID })).toEqual({
      canceled: [],
      not_canceled: { [held.orderID]: 'order match delayed due to market conditions' },
    });
    const late = await trader.client.createAndPostOrder(buy);
    const killed = await trader.client.postOrder(await trader.client.createOrder(buy), OrderType.FOK);
    await fixture.control('clock', { advance_ms: 3_000 });
    const after = await Promise.all([held, late, killed].map(({ orderID }) => trader.client.getOrder(orderID)));
    expect(after.map(({ status, size_matched }) => [status, size_matched])).toEqual([
      ['MATCHED', '6'],
      ['UNMATCHED', '0'],
      ['CANCELED', '0'],
    ]);
  });

  it('tells that a delayed order found no match and rests, lists it as open, fills it later and cancels its rest', async () => {
    const [yes] = market.tokens;
    const quote = (asks: object[]) => fixture.control('book', { token_id: yes, asks });
    const { key: apiKey, secret, passphrase } = trader.creds;
    const user = await StreamClient.open(fixture.exchange, 'user', {
      auth: { apiKey, secret, passphrase },
      type: 'user',
    });
    await user.untilAnswered();
    await quote([{ price: '0.5', size: '6' }]);
    await fixture.control('delay', { condition_id: market.conditionId, ms: 3_000 });
    const { orderID } = await trader.client.createAndPostOrder({ tokenID: yes, price: 0.5, size: 6, side: Side.BUY });
    await quote([]);
    expect(await trader.client.getOpenOrders()).toEqual([]);
    await fixture.control('clock', { advance_ms: 3_000 });
    await user.untilAnswered();
    const reported = user.frames.filter((frame) => typeof frame === 'object') as { type: string; status: string }[];
    expect(reported.map(({ type, status }) => `${type} ${status}`)).toEqual(['PLACEMENT DELAYED', 'UPDATE UNMATCHED']);
    expect(await trader.client.getOpenOrders()).toMatchObject([{ id: orderID, status: 'UNMATCHED' }]);
    expect((await trader.client.getOrderBook(yes)).bids.at(-1)).toEqual({ price: '0.5', size: '6' });
    await quote([{ price: '0.5', size: '2' }]);
    expect(await trader.client.getOrder(orderID)).toMatchObject({ status: 'LIVE', size_matched: '2' });
    expect(await trader.client.cancelOrder({ orderID })).toMatchObject({ canceled: [orderID] });
    user.close();
  });

  it('moves its clock forward and keeps accepting calls signed at wall time', async () => {
    const before = (await (await fetch(`${fixture.exchange.url}/_control/clock`)).json()) as { offset_ms: number };
    expect(before.offset_ms).toBe(0);
    expect(await fixture.control('clock', { advance_ms: 3_600_000 })).toMatchObject({ offset_ms: 3_600_000 });
    expect(await trader.client.getOpenOrders()).toEqual([]);
    expect(await trader.client.getServerTime()).toBeGreaterThan(Date.now() / 1000 + 3_500);
  });

  it('skews the time it tells and judges signatures by, while settlement stays on its own time', async () => {
    const reported = await trader.client.getServerTime();
    await fixture.control('clock', { skew_ms: 90_000 });
    expect(await trader.client.getServerTime()).toBe(reported + 90);
    await expect(trader.client.getOpenOrders()).rejects.toMatchObject({ status: 401 });
    expect(await fixture.control('clock', { advance_ms: 0 })).toMatchObject({ offset_ms: 0, skew_ms: 90_000 });
    await fixture.control('clock', { skew_ms: -30_000 });
    expect(await trader.client.getOpenOrders()).toEqual([]);
  });

  it('places an order for an account as another program with its key would', async () => {
    const order = { token_id: market.tokens[0], side: 'BUY', price: '0.02', size: '7' };
    const { id } = (await fixture.control('order', order)) as { id: string };
    expect(await trader.client.getOrder(id)).toMatchObject({ status: 'LIVE', original_size: '7', price: '0.02' });
    const sale = fixture.control('order', { ...order, side: 'SELL', price: '0.9' });
    await expect(sale).rejects.toThrow('not enough funds');
  });

  it('sets the balance, and refuses what it cannot understand in words', async () => {
    await fixture.control('balance', { usd: '12.34' });
    expect((await account()).usd).toBe('12.34');
    await expect(fixture.control('book', { token_id: 'x' })).rejects.toThrow('404');
    const [yes] = market.tokens;
    const crossed = { token_id: yes, bids: [{ price: '0.5', size: '1' }], asks: [{ price: '0.5', size: '1' }] };
    await expect(fixture.control('book', crossed)).rejects.toThrow('the best bid must be below the best ask');
    const odd = { token_id: yes, bids: [{ price: '0.505', size: '1' }] };
    await expect(fixture.control('book', odd)).rejects.toThrow('not on the grid');
    await expect(fixture.control('faults', { name: 'flood' })).rejects.toThrow('422');
  });
});

interface GammaEvent {
  readonly markets: readonly { readonly conditionId: string; readonly clobTokenIds: string }[];
}

async function eventOf({ conditionId }: ListedMarket) {
  const events = (await (await fetch(`${fixture.exchange.url}/gamma/events?limit=100`)).json()) as GammaEvent[];
  const event = events.find((entry) => entry.markets.some((listed) => listed.conditionId === conditionId));
  if (event === undefined) throw new Error(`no event lists ${conditionId}`);
  return { event: event.markets };
}
