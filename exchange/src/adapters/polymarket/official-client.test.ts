import { AssetType, OrderType, Side } from '@polymarket/clob-client-v2';
import type { Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, type ListedMarket, openFixture, StreamClient, type Trader } from './exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let plain: ListedMarket;
let negRisk: ListedMarket;

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const markets = await fixture.markets();
  const [firstPlain] = markets.filter((market) => !market.negRisk);
  const [firstNegRisk] = markets.filter((market) => market.negRisk);
  if (firstPlain === undefined || firstNegRisk === undefined) throw new Error('the catalogue lists both kinds');
  plain = firstPlain;
  negRisk = firstNegRisk;
  for (const market of [plain, negRisk]) {
    await fixture.control('book', {
      token_id: market.tokens[0],
      bids: [{ price: '0.4', size: '100' }],
      asks: [
        { price: '0.42', size: '50' },
        { price: '0.43', size: '50' },
      ],
    });
  }
});

afterEach(() => fixture.exchange.close());

/** Another user. */
const OTHER_KEY: Hex = `0x${'43'.repeat(32)}`;

const order = (token: string, side: Side, price: number, size: number) => ({ tokenID: token, side, price, size });

describe('the unmodified official client', () => {
  it('places, lists and cancels a resting order in a standard and a negative-risk market', async () => {
    for (const market of [plain, negRisk]) {
      const placed = await trader.client.createAndPostOrder(order(market.tokens[0], Side.BUY, 0.39, 10));
      expect(placed).toMatchObject({ success: true, errorMsg: '', status: 'live', makingAmount: '' });
      const open = await trader.client.getOpenOrders({ market: market.conditionId });
      expect(open).toMatchObject([{ id: placed.orderID, price: '0.39', original_size: '10', size_matched: '0' }]);
      expect(await trader.client.cancelOrder({ orderID: placed.orderID })).toEqual({
        canceled: [placed.orderID],
        not_canceled: {},
      });
      expect(await trader.client.getOrder(placed.orderID)).toMatchObject({ status: 'CANCELED' });
    }
  });

  it('buys exactly the signed shares with a marketable limit order, each level at its own price', async () => {
    const [yes] = plain.tokens;
    const placed = await trader.client.createAndPostOrder(order(yes, Side.BUY, 0.45, 60));
    expect(placed).toMatchObject({ status: 'matched', takingAmount: '60', makingAmount: '25.3' });
    expect(placed.tradeIDs).toHaveLength(1);
    await fixture.control('clock', { advance_ms: 5_000 });
    const [trade, ...more] = await trader.client.getTrades();
    expect(more).toEqual([]);
    // The average of 50 at 0.42 and 10 at 0.43, rounded up.
    expect(trade).toMatchObject({
      id: placed.tradeIDs?.[0],
      taker_order_id: placed.orderID,
      price: '0.421667',
      size: '60',
      status: 'CONFIRMED',
      trader_side: 'TAKER',
      owner: trader.creds.key,
    });
    // The market maker asks by bidding for the other token.
    expect(trade?.maker_orders).toMatchObject([
      { matched_amount: '50', price: '0.58', asset_id: plain.tokens[1], side: 'BUY' },
      { matched_amount: '10', price: '0.57', asset_id: plain.tokens[1], side: 'BUY' },
    ]);
    const { account } = await fixture.state();
    // 25.3 dollars, and fees of 50 x 0.07 x 0.42 x 0.58 and 10 x 0.07 x 0.43 x 0.57, each rounded up.
    expect(account).toEqual({ usd: '9973.67583', tokens: { [yes]: '60' } });
  });

  it('is one of several makers of a trade, sent all of it and named as the owner of its own part', async () => {
    const other = await fixture.trader(OTHER_KEY);
    const [yes] = plain.tokens;
    await fixture.control('book', { token_id: yes, bids: [], asks: [{ price: '0.6', size: '5' }] });
    const first = await trader.client.createAndPostOrder(order(yes, Side.BUY, 0.5, 10));
    const second = await other.client.createAndPostOrder(order(yes, Side.BUY, 0.48, 20));
    await fixture.control('book', { token_id: yes, bids: [], asks: [{ price: '0.45', size: '25' }] });
    const seen = await Promise.all([trader, other].map(({ client }) => client.getTrades()));
    for (const [nth, trades] of seen.entries()) {
      const { key } = [trader, other][nth]?.creds ?? { key: '' };
      expect(trades).toHaveLength(1);
      expect(trades[0]).toMatchObject({ trader_side: 'MAKER', owner: key, size: '25', asset_id: plain.tokens[1] });
      expect(trades[0]?.maker_orders).toMatchObject([
        { order_id: first.orderID, owner: trader.creds.key, matched_amount: '10', price: '0.5', side: 'BUY' },
        { order_id: second.orderID, owner: other.creds.key, matched_amount: '15', price: '0.48', side: 'BUY' },
      ]);
    }
    expect((await fixture.state()).trades).toMatchObject([
      { order_id: first.orderID, trader_side: 'MAKER', size: '10', cost: '5', fee: '0' },
      { order_id: second.orderID, trader_side: 'MAKER', size: '15', cost: '7.2', fee: '0' },
    ]);
  });

  it('spends exactly the signed dollars with a market order', async () => {
    const market = { tokenID: plain.tokens[0], side: Side.BUY, amount: 21.43, price: 0.45 };
    const placed = await trader.client.createAndPostMarketOrder(market, undefined, OrderType.FOK, true);
    expect(placed).toMatchObject({ status: 'matched', makingAmount: '21.43', takingAmount: '51' });
    expect(placed.transactionsHashes).toBeUndefined();
  });

  it('sees its order and its trade on the user channel, up to CONFIRMED', async () => {
    const { key: apiKey, secret, passphrase } = trader.creds;
    const user = await StreamClient.open(fixture.exchange, 'user', {
      auth: { apiKey, secret, passphrase },
      type: 'user',
      markets: [],
    });
    await user.untilAnswered();
    const placed = await trader.client.createAndPostOrder(order(plain.tokens[0], Side.BUY, 0.42, 5));
    await fixture.control('clock', { advance_ms: 5_000 });
    await user.expect<{ status: string }>((frame) => frame.status === 'CONFIRMED');
    const reported = user.frames
      .filter((frame) => typeof frame === 'object')
      .map((frame) => frame as Record<string, string>)
      .map(({ type, status, size_matched }) => `${type} ${status} ${size_matched ?? ''}`.trim());
    expect(reported).toEqual([
      'PLACEMENT LIVE 0',
      'TRADE MATCHED',
      'UPDATE MATCHED 5',
      'TRADE MINED',
      'TRADE CONFIRMED',
    ]);
    expect(user.frames[1]).toMatchObject({ id: placed.orderID, event_type: 'order', side: 'BUY' });
    user.close();
  });

  it('receives on the user channel a killed fill-or-kill order, with the fields the venue leaves empty', async () => {
    const { key: apiKey, secret, passphrase } = trader.creds;
    const user = await StreamClient.open(fixture.exchange, 'user', {
      auth: { apiKey, secret, passphrase },
      type: 'user',
    });
    await user.untilAnswered();
    const tooMuch = { tokenID: plain.tokens[0], side: Side.BUY, amount: 500, price: 0.43 };
    const placing = trader.client.createAndPostMarketOrder(tooMuch, undefined, OrderType.FOK, true);
    await expect(placing).rejects.toThrow('FOK orders are fully filled or killed');
    await user.untilAnswered();
    const reported = user.frames.filter((frame) => typeof frame === 'object');
    expect(reported).toMatchObject([
      { event_type: 'order', type: 'CANCELLATION', order_type: 'FOK', side: 'BUY', size_matched: '', created_at: '' },
    ]);
    expect((await fixture.state()).orders).toEqual([]);
    user.close();
  });

  it('receives the time of an order in seconds, as text', async () => {
    const { key: apiKey, secret, passphrase } = trader.creds;
    const user = await StreamClient.open(fixture.exchange, 'user', {
      auth: { apiKey, secret, passphrase },
      type: 'user',
    });
    await user.untilAnswered();
    await trader.client.createAndPostOrder(order(plain.tokens[0], Side.BUY, 0.39, 5));
    const placed = await user.expect<{ type: string; created_at: unknown }>(({ type }) => type === 'PLACEMENT');
    expect(placed.created_at).toMatch(/^\d{10}$/);
    user.close();
  });

  it('waits for the transaction of a GTC match that the answer did not name', async () => {
    const { key: apiKey, secret, passphrase } = trader.creds;
    const auth = { apiKey, secret, passphrase };
    const user = await StreamClient.open(fixture.exchange, 'user', { auth, type: 'user' });
    await user.untilAnswered();
    await fixture.control('hashes', { present: false });
    const placing = trader.client.createAndPostOrder(order(plain.tokens[0], Side.BUY, 0.42, 5));
    const matched = await user.expect<{ status: string; transaction_hash: string }>(
      (frame) => frame.status === 'MATCHED' && 'transaction_hash' in frame,
    );
    expect(matched.transaction_hash).toBe('');
    await fixture.control('clock', { advance_ms: 1_000 });
    expect((await placing).transactionsHashes).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    user.close();
  });

  it('has the transaction of an FOK match in the answer when that is asked for', async () => {
    await fixture.control('hashes', { present: true });
    const market = { tokenID: plain.tokens[0], side: Side.BUY, amount: 21, price: 0.42 };
    const placed = await trader.client.createAndPostMarketOrder(market, undefined, OrderType.FOK, true);
    const [trade] = await trader.client.getTrades();
    expect(placed.transactionsHashes).toEqual([trade?.transaction_hash]);
    await fixture.control('hashes', { present: null });
    const usual = await trader.client.createAndPostMarketOrder(
      { ...market, amount: 4.3, price: 0.43 },
      undefined,
      OrderType.FOK,
      true,
    );
    expect(usual.transactionsHashes).toBeUndefined();
  });

  it('derives the same key again and reads balances in base units', async () => {
    const again = await fixture.trader();
    expect(again.creds).toEqual(trader.creds);
    expect(await trader.client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).toMatchObject({
      balance: '10000000000',
    });
  });
});
