import { EventEmitter } from 'node:events';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { KALSHI_DEFAULTS } from '../config.ts';
import { MarketShard } from './market-shard.ts';

/** A socket whose other end is the test. */
class Socket extends EventEmitter {
  readonly readyState = 3;
  readonly sent: { id: number; cmd: string; params: { action?: string; market_tickers?: string[] } }[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  terminate(): void {}
  says(frame: object): void {
    this.emit('message', JSON.stringify(frame), false);
  }
}

const HEADERS = { 'KALSHI-ACCESS-KEY': '', 'KALSHI-ACCESS-TIMESTAMP': '', 'KALSHI-ACCESS-SIGNATURE': '' };

it('asks for the books once for all the gaps that its answer brings, as where a snapshot cannot be read', async () => {
  const socket = new Socket();
  const now = () => instantFromMs(Date.now());
  const network = { fetch, openSocket: () => socket };
  const events = { onBooks: () => {}, onTrust: () => {}, onTick: () => {}, onResolved: () => {} };
  const shard = new MarketShard({
    ...{ url: 'ws://venue.test/ws', config: KALSHI_DEFAULTS.stream, signer: () => HEADERS, events },
    runtime: { now, random: () => 0.5, log: { info: () => {}, warn: () => {} }, network },
    venueNow: now,
    onActivity: () => {},
  });
  const tickers = Array.from({ length: 20 }, (_, index) => `M-${index}`);
  shard.add(tickers);
  socket.emit('open');
  socket.says({ type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } });
  const asked = () => socket.sent.filter(({ params }) => params.action === 'get_snapshot');
  const answer = () => {
    for (const ticker of tickers)
      socket.says({ type: 'orderbook_snapshot', sid: 1, msg: { market_ticker: ticker, yes_dollars_fp: 'unreadable' } });
  };
  answer();
  expect(asked().map(({ params }) => params.market_tickers?.length)).toEqual([20]);
  answer();
  expect(asked()).toHaveLength(1);
  // What cannot be read is asked for again, later and once.
  await expect.poll(() => asked().length, { timeout: 10_000 }).toBe(2);
  await shard.close();
});
