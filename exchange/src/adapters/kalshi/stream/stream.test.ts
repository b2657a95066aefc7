import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type RunningExchange, startExchange } from '../../../start-exchange.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

type Frame = { type: string; id?: number; sid?: number; seq?: number; msg: Record<string, unknown> };

let exchange: RunningExchange;
let ticker: string;

beforeEach(async () => {
  exchange = await startExchange({ paused: true });
  await control('keys', { key_id: 'k', public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString() });
  const listed = await (await fetch(`${exchange.url}/trade-api/v2/markets?series_ticker=KXHIGHMARK`)).json();
  ticker = (listed as { markets: { ticker: string }[] }).markets[0]?.ticker ?? '';
  await quote([['0.42', '5']], []);
});
afterEach(async () => exchange.close());

async function control(name: string, body: object): Promise<void> {
  const response = await fetch(`${exchange.url}/_control/kalshi/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
}

function quote(bids: [string, string][], asks: [string, string][]): Promise<void> {
  const levels = (side: [string, string][]) => side.map(([price, size]) => ({ price, size }));
  return control('book', { token_id: `${ticker}:yes`, bids: levels(bids), asks: levels(asks) });
}

function headers(method: string, path: string): Record<string, string> {
  const timestamp = String(Date.now());
  const signature = sign(null, Buffer.from(`${timestamp}${method}${path}`), privateKey).toString('base64');
  return { 'KALSHI-ACCESS-KEY': 'k', 'KALSHI-ACCESS-TIMESTAMP': timestamp, 'KALSHI-ACCESS-SIGNATURE': signature };
}

/** A connection that keeps what it is sent. */
async function connect() {
  const path = '/trade-api/ws/v2';
  const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}${path}`, { headers: headers('GET', path) });
  const frames: Frame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  return {
    frames,
    send: (cmd: string, params: object, id = 1) => socket.send(JSON.stringify({ id, cmd, params })),
    until: async (holds: (frame: Frame) => boolean) => {
      await expect.poll(() => frames.some(holds)).toBe(true);
      return frames.find(holds) as Frame;
    },
  };
}

async function buy(price: string): Promise<void> {
  const path = '/trade-api/v2/portfolio/events/orders';
  const response = await fetch(`${exchange.url}${path}`, {
    method: 'POST',
    headers: { ...headers('POST', path), 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ ticker, client_order_id: `at-${price.slice(2)}`, side: 'bid', count: '2', price },
      ...{ time_in_force: 'good_till_canceled', self_trade_prevention_type: 'maker' },
    }),
  });
  expect(response.status).toBe(201);
}

describe('the stream of the simulated Kalshi', () => {
  it('sends a snapshot without the side that is empty, then each change of a level with the next number', async () => {
    const { send, until, frames } = await connect();
    send('subscribe', { channels: ['orderbook_delta'], market_tickers: [ticker], use_yes_price: false });
    const snapshot = await until(({ type }) => type === 'orderbook_snapshot');
    expect(frames[0]).toEqual({ type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } });
    expect([snapshot.seq, snapshot.msg.yes_dollars_fp, 'no_dollars_fp' in snapshot.msg]).toEqual([
      1,
      [['0.4200', '5.00']],
      false,
    ]);
    await quote([['0.42', '3']], [['0.6', '7']]);
    await until(({ seq }) => seq === 3);
    const changes = frames.slice(2).map(({ seq, msg }) => [seq, msg.side, msg.price_dollars, msg.delta_fp]);
    expect(changes).toEqual([
      [2, 'yes', '0.4200', '-2.00'],
      [3, 'no', '0.4000', '7.00'],
    ]);
  });

  it('counts what it acknowledges and refuses, loses a frame without its number, and answers a request for a snapshot by its id', async () => {
    const { send, until, frames } = await connect();
    send('subscribe', { channels: ['orderbook_delta'], market_tickers: [ticker], use_yes_price: true });
    await until(({ seq }) => seq === 1);
    send('update_subscription', { sids: [1], action: 'add_markets', market_tickers: [ticker] }, 2);
    expect((await until(({ id }) => id === 2)).seq).toBe(2);
    send('update_subscription', { sids: [1], action: 'nonsense' }, 3);
    expect(await until(({ id }) => id === 3)).toMatchObject({ type: 'error', seq: 3, msg: { code: 13 } });
    send('update_subscription', { sids: [1, 2], action: 'get_snapshot' }, 4);
    expect((await until(({ id }) => id === 4)).msg.code).toBe(12);
    await control('faults', { name: 'lose_book_frame' });
    await quote([['0.42', '4']], []);
    await quote([['0.42', '2']], [['0.6', '1']]);
    await until(({ seq }) => seq === 6);
    expect(frames.some(({ seq }) => seq === 4)).toBe(false);
    send('update_subscription', { sids: [1], action: 'get_snapshot', market_tickers: [ticker] }, 5);
    const healed = await until(({ id }) => id === 5);
    expect(healed).toMatchObject({
      type: 'orderbook_snapshot',
      msg: { yes_dollars_fp: [['0.4200', '2.00']], no_dollars_fp: [['0.6000', '1.00']] },
    });
  });

  it('says what happens to the orders of a member without numbers, and what happens to a market with them', async () => {
    const { send, until } = await connect();
    send('subscribe', { channels: ['fill', 'user_orders'] });
    send('subscribe', { channels: ['trade', 'market_lifecycle_v2'], market_tickers: [ticker] }, 2);
    await until(({ type, msg }) => type === 'subscribed' && msg.sid === 4);
    await quote([], [['0.5', '1.5']]);
    await buy('0.5000');
    const fill = await until(({ type }) => type === 'fill');
    expect(fill.seq).toBeUndefined();
    expect(fill.msg).toMatchObject({
      ...{ client_order_id: 'at-5000', count_fp: '1.50', fee_cost: '0.0263', post_position_fp: '1.50' },
    });
    expect((await until(({ type }) => type === 'trade')).seq).toBe(1);
    await until(({ type, msg }) => type === 'user_order' && msg.fill_count_fp === '1.50' && msg.status === 'resting');
    await control('halt', { ticker });
    await control('reopen', { ticker });
    expect((await until(({ msg }) => msg.event_type === 'deactivated')).seq).toBe(1);
    await until(({ type, msg }) => type === 'user_order' && msg.last_update_reason === 'HaltCancel');
    await control('resolve', { ticker, yes_pays: '0.3' });
    const determined = await until(({ msg }) => msg.event_type === 'determined');
    expect(determined.msg).toMatchObject({ result: 'scalar', settlement_value: '0.3000' });
  });

  it('refuses a connection whose signature is wrong', async () => {
    const path = '/trade-api/ws/v2';
    const { privateKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { key: other, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const signature = sign('sha256', Buffer.from(`1GET${path}`), key).toString('base64');
    const wrong = { ...headers('GET', path), 'KALSHI-ACCESS-SIGNATURE': signature };
    const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}${path}`, { headers: wrong });
    expect(await new Promise((resolve) => socket.once('error', (error) => resolve(error.message)))).toMatch(/401/);
  });
});
