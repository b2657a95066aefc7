/** Runs both adapters on streams in memory; measures processor time per changed level, and memory. */
import { generateKeyPairSync } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { KALSHI_DEFAULTS } from '@dutchbook/venues/kalshi/config.ts';
import { KalshiMarketStream } from '@dutchbook/venues/kalshi/market-stream/market-stream.ts';
import { openSigner } from '@dutchbook/venues/kalshi/signing.ts';
import type { VenueSocket } from '@dutchbook/venues/network.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { PolymarketMarketStream } from '@dutchbook/venues/polymarket/market-stream/market-stream.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { type MarketStream, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { marketAt, marketTokens, otherTokens } from '../feed/markets.ts';

/** Tokens at each venue. */
export type TwoVenuesTask = { polymarket: number; kalshi: number };
export type TwoVenuesAnswer = { usPerLevel: number; megabytes: number };

const NEVER_MS = 3_600_000;
const LEVELS = 10;
const WARM_UP = 100_000;
const MEASURED = 300_000;
const STEP = 1000;
const MEGABYTE = 1_000_000;

const task = JSON.parse(process.argv[2] ?? '{}') as TwoVenuesTask;

type Receive = (text: string) => void;

/** Sockets in memory; `answer` says what the venue sends for a command. */
function socketsTo(answer: (receive: Receive, command: string) => void): () => VenueSocket {
  return () => {
    const listeners = new Map<string, (...args: never[]) => void>();
    const receive: Receive = (text) => listeners.get('message')?.(text as never, false as never);
    queueMicrotask(() => listeners.get('open')?.());
    return {
      readyState: 1,
      send: (text) => queueMicrotask(() => answer(receive, text)),
      terminate: () => {},
      on: (event: string, listener: (...args: never[]) => void) => listeners.set(event, listener),
    };
  };
}

/** A change of a level of a market: which of its levels, and whether it grows or shrinks. */
type Feed = {
  stream: MarketStream;
  tokens: string[];
  markets: number;
  send: (market: number, level: number, grows: boolean) => () => void;
};

const runtime = (openSocket: () => VenueSocket) => ({
  now: () => instantFromMs(Date.now()),
  random: () => 0.5,
  log: { info: () => {}, warn: () => {} },
  network: { fetch, openSocket },
});
const EVENTS = { onBooks: () => {}, onTrust: () => {}, onTick: () => {}, onResolved: () => {} };

const priceOf = (level: number) => (0.31 + level / 100).toFixed(2);
const otherPrice = (level: number) => (0.69 - level / 100).toFixed(2);
const sizeOf = (grows: boolean) => (grows ? '11' : '10');
const places = Array.from({ length: LEVELS }, (_, level) => level);

function polymarketFeed(count: number): Feed {
  const tokens = marketTokens(count);
  const receivers = new Map<string, Receive>();
  const levels = (price: (level: number) => string) => places.map((level) => ({ price: price(level), size: '10' }));
  const book = (token: string) =>
    JSON.stringify({
      ...{ event_type: 'book', asset_id: token, market: '0x0', timestamp: String(Date.now()), hash: '0' },
      ...{ bids: levels(priceOf), asks: levels(otherPrice) },
    });
  const openSocket = socketsTo((receive, command) => {
    const { assets_ids: asked = [] } = command.startsWith('{')
      ? (JSON.parse(command) as { assets_ids?: string[] })
      : {};
    for (const token of asked) {
      receivers.set(token, receive);
      receive(book(token));
    }
  });
  const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
  const undisturbed = { pongLateMs: NEVER_MS, pongTimeoutMs: NEVER_MS, silenceMs: NEVER_MS, compareEveryMs: NEVER_MS };
  const stream = new PolymarketMarketStream({
    url: 'ws://one',
    config: { ...POLYMARKET_DEFAULTS.stream, ...undisturbed, provenSilentMs: NEVER_MS, provenBusyMs: NEVER_MS },
    runtime: runtime(openSocket),
    prices: { fetchBooks: silent, fetchQuotes: silent },
    ticks: createTicks(() => instantFromMs(Date.now())),
    otherTokens,
    events: EVENTS,
  });
  return {
    ...{ stream, tokens, markets: count / 2 },
    send: (market, level, grows) => {
      const [yes = '', no = ''] = tokens.slice(market * 2, market * 2 + 2);
      const row = (token: string, side: string, price: string) =>
        `{"asset_id":"${token}","price":"${price}","size":"${sizeOf(grows)}","side":"${side}",` +
        '"hash":"0f1c6c1b1d1e5c5f4a8f0c1b7f7a1a1d2e3f4a5b","best_bid":"0.4","best_ask":"0.6"}';
      const rows = `${row(yes, 'BUY', priceOf(level))},${row(no, 'SELL', otherPrice(level))}`;
      const text = `{"market":"${marketAt(market).id}","price_changes":[${rows}],"timestamp":"${Date.now()}","event_type":"price_change"}`;
      const receive = receivers.get(yes);
      return () => receive?.(text);
    },
  };
}

function kalshiFeed(count: number): Feed {
  const tickers = Array.from({ length: count / 2 }, (_, market) => `KXGAME-26NOV30-T${market}`);
  const subscriptions = new Map<string, { receive: Receive; sid: number }>();
  const numbers = new Map<Receive, number>();
  const levels = places.map((level) => [`${priceOf(level)}00`, '10.00']);
  const framed = (receive: Receive, frame: object) => {
    const seq = (numbers.get(receive) ?? 0) + 1;
    numbers.set(receive, seq);
    return JSON.stringify({ ...frame, sid: 1, seq });
  };
  const openSocket = socketsTo((receive, command) => {
    const { id, cmd, params } = JSON.parse(command) as {
      id: number;
      cmd: string;
      params: { channels?: string[]; market_tickers?: string[] };
    };
    if (cmd === 'subscribe' && params.channels?.[0] === 'orderbook_delta')
      receive(JSON.stringify({ type: 'subscribed', id, msg: { channel: 'orderbook_delta', sid: 1 } }));
    for (const ticker of params.market_tickers ?? []) {
      subscriptions.set(ticker, { receive, sid: 1 });
      const msg = { market_ticker: ticker, yes_dollars_fp: levels, no_dollars_fp: levels };
      receive(framed(receive, { type: 'orderbook_snapshot', msg }));
    }
  });
  const { privateKey } = generateKeyPairSync('ed25519');
  const stream = new KalshiMarketStream({
    url: 'ws://other',
    config: { ...KALSHI_DEFAULTS.stream, verifyEveryMs: NEVER_MS, silenceMs: NEVER_MS },
    signer: openSigner('key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    runtime: runtime(openSocket),
    events: EVENTS,
    venueNow: () => instantFromMs(Date.now()),
    onActivity: () => {},
  });
  return {
    ...{
      stream,
      markets: count / 2,
      tokens: tickers.flatMap((ticker) => [`kalshi:${ticker}:yes`, `kalshi:${ticker}:no`]),
    },
    send: (market, level, grows) => {
      const ticker = tickers[market] ?? '';
      const receive = subscriptions.get(ticker)?.receive;
      if (receive === undefined) return () => {};
      const msg = {
        market_ticker: ticker,
        market_id: '0f1c6c1b-1d1e-5c5f-4a8f-0c1b7f7a1a1d',
        price_dollars: `${priceOf(level)}00`,
      };
      const text = framed(receive, {
        type: 'orderbook_delta',
        msg: {
          ...msg,
          delta_fp: grows ? '1.00' : '-1.00',
          side: 'yes',
          ts: new Date().toISOString(),
          ts_ms: Date.now(),
        },
      });
      return () => receive(text);
    },
  };
}

const feeds = [
  ...(task.polymarket > 0 ? [polymarketFeed(task.polymarket)] : []),
  ...(task.kalshi > 0 ? [kalshiFeed(task.kalshi)] : []),
];
for (const { stream, tokens } of feeds) stream.subscribe(tokens);
while (
  !feeds.every(({ stream, tokens }) => stream.health().tokens >= tokens.length && stream.health().staleTokens === 0)
)
  await setImmediate();

let at = 0;
/** The next level to change: venues and markets in rotation, each level up and then down again. */
function nextChange(): () => void {
  const feed = feeds[at % feeds.length] as Feed;
  const turn = Math.floor(at / feeds.length);
  const round = Math.floor(turn / feed.markets);
  at += 1;
  return feed.send(turn % feed.markets, Math.floor(round / 2) % LEVELS, round % 2 === 0);
}

async function play(changes: number): Promise<number> {
  let us = 0;
  for (let done = 0; done < changes; done += STEP) {
    const frames = Array.from({ length: STEP }, nextChange);
    const before = process.cpuUsage();
    for (const frame of frames) frame();
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    us += user + system;
  }
  return us;
}

await play(WARM_UP);
const us = await play(MEASURED);
if (feeds.some(({ stream }) => stream.health().staleTokens > 0)) throw new Error('a book went stale');
globalThis.gc?.();
globalThis.gc?.();
const { rss } = process.memoryUsage();
process.send?.({ usPerLevel: us / MEASURED, megabytes: rss / MEGABYTE } satisfies TwoVenuesAnswer);
process.exit(0);
