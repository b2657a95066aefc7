import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, type ListedMarket, openFixture, StreamClient } from './exchange-fixture.ts';

let fixture: Fixture;
let market: ListedMarket;
let yes: string;
let no: string;
let stream: StreamClient;

interface Frame {
  readonly event_type: string;
  readonly asset_id: string;
  readonly bids: readonly { price: string; size: string }[];
  readonly asks: readonly { price: string; size: string }[];
  readonly price_changes: readonly Record<string, string>[];
}

beforeEach(async () => {
  fixture = await openFixture();
  const [first] = (await fixture.markets()).filter(({ negRisk }) => !negRisk);
  if (first === undefined) throw new Error('the catalogue lists standard markets');
  market = first;
  [yes, no] = market.tokens;
  await fixture.control('book', {
    token_id: yes,
    bids: [
      { price: '0.39', size: '10' },
      { price: '0.4', size: '100' },
    ],
    asks: [{ price: '0.42', size: '50' }],
  });
  stream = await StreamClient.open(fixture.exchange, 'market', { assets_ids: [yes, no], type: 'market' });
  await stream.untilAnswered();
});

afterEach(async () => {
  stream.close();
  await fixture.exchange.close();
});

const isBookOf = (asset: string) => (frame: Frame) => frame.event_type === 'book' && frame.asset_id === asset;

describe('the market channel', () => {
  it('starts with whole books, the best price last, each token the mirror of the other', async () => {
    const book = await stream.expect(isBookOf(yes));
    expect(book).toMatchObject({
      market: market.conditionId,
      bids: [
        { price: '0.39', size: '10' },
        { price: '0.4', size: '100' },
      ],
      asks: [{ price: '0.42', size: '50' }],
      tick_size: '0.01',
      min_order_size: '5',
      neg_risk: false,
    });
    const mirrored = await stream.expect(isBookOf(no));
    expect(mirrored.asks).toEqual([
      { price: '0.61', size: '10' },
      { price: '0.6', size: '100' },
    ]);
    expect(mirrored.bids).toEqual([{ price: '0.58', size: '50' }]);
  });

  it('tells a resting order as the new size of its level, for both tokens in one frame', async () => {
    const trader = await fixture.trader();
    await trader.client.createAndPostOrder({ tokenID: no, price: 0.58, size: 7, side: Side.BUY });
    const frame = await stream.expect<Frame>(({ event_type }) => event_type === 'price_change');
    expect(frame.price_changes).toMatchObject([
      { asset_id: yes, price: '0.42', size: '57', side: 'SELL', best_bid: '0.4', best_ask: '0.42' },
      { asset_id: no, price: '0.58', size: '57', side: 'BUY', best_bid: '0.58', best_ask: '0.6' },
    ]);
    const book = (await (await fetch(`${fixture.exchange.url}/book?token_id=${yes}`)).json()) as { hash: string };
    expect(frame.price_changes[0]?.hash).toBe(book.hash);
  });

  it('tells a trade, the shrunken level and the books after it', async () => {
    const trader = await fixture.trader();
    const before = stream.frames.length;
    await trader.client.createAndPostOrder({ tokenID: yes, price: 0.42, size: 5, side: Side.BUY });
    await stream.untilAnswered();
    const reported = stream.frames.slice(before).filter((frame) => typeof frame === 'object') as Frame[];
    expect(reported.map(({ event_type }) => event_type)).toEqual(['last_trade_price', 'price_change', 'book', 'book']);
    expect(reported[0]).toMatchObject({ asset_id: yes, price: '0.42', size: '5', side: 'BUY' });
    expect(reported[1]?.price_changes[0]).toMatchObject({ price: '0.42', size: '45' });
  });

  it('publishes a book set by hand, mirrored, and keeps the users’ standing orders in it', async () => {
    const trader = await fixture.trader();
    await trader.client.createAndPostOrder({ tokenID: yes, price: 0.3, size: 5, side: Side.BUY });
    const before = stream.frames.length;
    await fixture.control('book', { token_id: no, bids: [{ price: '0.5', size: '9' }], asks: [] });
    await stream.untilAnswered();
    expect(stream.frames.slice(before)).toMatchObject([
      { event_type: 'book', asset_id: yes, bids: [{ price: '0.3', size: '5' }], asks: [{ price: '0.5', size: '9' }] },
      { event_type: 'book', asset_id: no, bids: [{ price: '0.5', size: '9' }], asks: [{ price: '0.7', size: '5' }] },
      'PONG',
    ]);
  });

  it('tells a client that follows YES alone nothing of NO', async () => {
    const alone = await StreamClient.open(fixture.exchange, 'market', { assets_ids: [yes], type: 'market' });
    await alone.untilAnswered();
    const trader = await fixture.trader();
    await trader.client.createAndPostOrder({ tokenID: no, price: 0.58, size: 7, side: Side.BUY });
    await trader.client.createAndPostOrder({ tokenID: yes, price: 0.42, size: 5, side: Side.BUY });
    await fixture.control('book', { token_id: no, bids: [{ price: '0.5', size: '9' }], asks: [] });
    await fixture.control('tick_size', { token_id: no, tick_size: '0.001' });
    await alone.untilAnswered();
    const kinds = (alone.frames as Frame[]).map(({ event_type }) => event_type);
    expect(new Set(kinds)).toEqual(
      new Set(['book', 'price_change', 'last_trade_price', 'tick_size_change', undefined]),
    );
    expect(JSON.stringify(alone.frames)).not.toContain(no);
    alone.close();
  });

  it('says NO NEW ASSETS to a repeated subscription and nothing more after unsubscribing', async () => {
    stream.send({ assets_ids: [yes], operation: 'subscribe' });
    await stream.untilAnswered();
    expect(stream.frames).toContain('NO NEW ASSETS');
    stream.send({ assets_ids: [yes, no], operation: 'unsubscribe' });
    await stream.untilAnswered();
    const before = stream.frames.length;
    await fixture.control('book', { token_id: yes, bids: [], asks: [] });
    await stream.untilAnswered();
    expect(stream.frames.slice(before)).toEqual(['PONG']);
  });

  it('announces a new tick, and a resolution to clients that asked for the extra events', async () => {
    await fixture.control('tick_size', { token_id: yes, tick_size: '0.001' });
    expect(await stream.expect<Frame>(({ event_type }) => event_type === 'tick_size_change')).toMatchObject({
      asset_id: yes,
      old_tick_size: '0.01',
      new_tick_size: '0.001',
    });
    stream.send({ assets_ids: [yes], operation: 'subscribe', custom_feature_enabled: true });
    await stream.untilAnswered();
    await fixture.control('resolve', { condition_id: market.conditionId, outcome: 'No' });
    expect(await stream.expect<Frame>(({ event_type }) => event_type === 'market_resolved')).toMatchObject({
      winning_asset_id: no,
      winning_outcome: 'No',
    });
  });

  it('sends nothing while frozen, though it still answers pings', async () => {
    await fixture.control('faults', { name: 'freeze_stream', token_id: yes });
    const before = stream.frames.length;
    await fixture.control('book', { token_id: yes, bids: [], asks: [] });
    await stream.untilAnswered();
    expect(stream.frames.slice(before)).toEqual(['PONG']);
    await fetch(`${fixture.exchange.url}/_control/faults`, { method: 'DELETE' });
    await fixture.control('book', { token_id: yes, bids: [], asks: [{ price: '0.9', size: '5' }] });
    await stream.expect<Frame>((frame) => isBookOf(yes)(frame) && frame.asks[0]?.price === '0.9');
  });
});

describe('the user channel', () => {
  it('closes on wrong credentials', async () => {
    const wrong = { apiKey: 'a', secret: 'b', passphrase: 'c' };
    const user = await StreamClient.open(fixture.exchange, 'user', { auth: wrong, type: 'user' });
    expect(await user.closed()).toBe(1008);
  });
});
