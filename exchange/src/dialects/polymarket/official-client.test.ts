import { AssetType, OrderType, Side } from '@polymarket/clob-client-v2';
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
    expect(placed.tradeIDs).toHaveLength(2);
    await fixture.control('clock', { advance_ms: 5_000 });
    const trades = await trader.client.getTrades();
    expect(trades.map(({ price, size, status }) => ({ price, size, status }))).toEqual([
      { price: '0.43', size: '10', status: 'CONFIRMED' },
      { price: '0.42', size: '50', status: 'CONFIRMED' },
    ]);
    const { account } = await fixture.state();
    // 25.3 dollars, and fees of 50 x 0.07 x 0.42 x 0.58 and 10 x 0.07 x 0.43 x 0.57, each rounded up.
    expect(account).toEqual({ usd: '9973.67583', tokens: { [yes]: '60' } });
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
    await user.settled();
    const placed = await trader.client.createAndPostOrder(order(plain.tokens[0], Side.BUY, 0.42, 5));
    await fixture.control('clock', { advance_ms: 5_000 });
    await user.expect<{ status: string }>((frame) => frame.status === 'CONFIRMED');
    const told = user.frames
      .filter((frame) => typeof frame === 'object')
      .map((frame) => frame as Record<string, string>)
      .map(({ type, status, size_matched }) => `${type} ${status} ${size_matched ?? ''}`.trim());
    expect(told).toEqual(['PLACEMENT LIVE 0', 'TRADE MATCHED', 'UPDATE MATCHED 5', 'TRADE MINED', 'TRADE CONFIRMED']);
    expect(user.frames[1]).toMatchObject({ id: placed.orderID, event_type: 'order', side: 'BUY' });
    user.close();
  });

  it('waits for the transaction of a GTC match that the answer did not name', async () => {
    const { key: apiKey, secret, passphrase } = trader.creds;
    const auth = { apiKey, secret, passphrase };
    const user = await StreamClient.open(fixture.exchange, 'user', { auth, type: 'user' });
    await user.settled();
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
