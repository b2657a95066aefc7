// What does a changed level cost where half of the tokens are at a second venue, beside one venue with as many? Processor time of a
// process with both adapters and their books, on sockets in memory, and its memory, in processes of their own that take turns.
// Budget: 5 % more time, 10 % more memory.
import { fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { KALSHI_DEFAULTS } from '@dutchbook/venues/kalshi/config.ts';
import { KalshiMarketStream } from '@dutchbook/venues/kalshi/market-stream/market-stream.ts';
import { openSigner } from '@dutchbook/venues/kalshi/signing.ts';
import type { VenueSocket } from '@dutchbook/venues/network.ts';
import { PolymarketMarketStream } from '@dutchbook/venues/polymarket/market-stream/market-stream.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { type MarketStream, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { median, tell } from '../rows.ts';
import { conditionOf, marketOfToken, tokenOf } from '../whole-market/made-catalogue.ts';
import { UNDISTURBED } from './undisturbed.ts';

const TOKENS = 20_000;
const ROUNDS = 5;
const LEVELS = 10;
const WARM_UP = 100_000;
const MEASURED = 300_000;
const STEP = 1000;
const MEGABYTE = 1_000_000;

type Answer = { usPerLevel: number; megabytes: number };
type Receive = (text: string) => void;
/** `frame` changes a level of a market and returns what brings it. */
type Feed = {
  stream: MarketStream;
  tokens: string[];
  frame: (market: number, level: number, grows: boolean) => () => void;
};

const [, , polymarket, kalshi] = process.argv;
if (polymarket === undefined) await compare();
else await measure(Number(polymarket), Number(kalshi));

async function compare(): Promise<void> {
  const answers = { one: [] as Answer[], both: [] as Answer[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    answers.one.push(await answerOf(TOKENS, 0));
    answers.both.push(await answerOf(TOKENS / 2, TOKENS / 2));
  }
  for (const [of, what, unit, floorTimes] of [
    ['usPerLevel', 'a changed level', 'us', 1.05],
    ['megabytes', 'memory', 'MB', 1.1],
  ] as const)
    tell({
      question: `${what}, ${TOKENS.toLocaleString('en')} tokens, half of them at a second venue`,
      ...{ figure: median(answers.both.map((each) => each[of])), unit, budget: { floorTimes } },
      floor: { figure: median(answers.one.map((each) => each[of])), of: 'all at one venue' },
    });
}

async function answerOf(...tokens: [polymarket: number, kalshi: number]): Promise<Answer> {
  const child = fork(import.meta.filename, tokens.map(String), { execArgv: ['--expose-gc'] });
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

async function measure(ofPolymarket: number, ofKalshi: number): Promise<void> {
  const feeds = [
    ...(ofPolymarket > 0 ? [polymarketFeed(ofPolymarket / 2)] : []),
    ...(ofKalshi > 0 ? [kalshiFeed(ofKalshi / 2)] : []),
  ];
  for (const { stream, tokens } of feeds) stream.subscribe(tokens);
  const isRight = ({ stream, tokens }: Feed) =>
    stream.health().tokens >= tokens.length && stream.health().staleTokens === 0;
  while (!feeds.every(isRight)) await setImmediate();
  const changes = changesOf(feeds);
  await play(changes, WARM_UP);
  const usPerLevel = (await play(changes, MEASURED)) / MEASURED;
  if (!feeds.every(isRight)) throw new Error('a book went stale');
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ usPerLevel, megabytes: process.memoryUsage.rss() / MEGABYTE } satisfies Answer);
  process.exit(0);
}

/** Venues and markets in rotation, each level up and then down again. */
function* changesOf(feeds: readonly Feed[]): Generator<() => void, never> {
  for (let round = 0; ; round += 1)
    for (let market = 0; market < TOKENS / 2 / feeds.length; market += 1)
      for (const { frame } of feeds) yield frame(market, Math.floor(round / 2) % LEVELS, round % 2 === 0);
}

/** @returns the processor time of reading, in us */
async function play(changes: Generator<() => void, never>, count: number): Promise<number> {
  let us = 0;
  for (let done = 0; done < count; done += STEP) {
    const frames = Array.from({ length: STEP }, () => changes.next().value);
    const before = process.cpuUsage();
    for (const bring of frames) bring();
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    us += user + system;
  }
  return us;
}

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

function runtimeWith(openSocket: () => VenueSocket) {
  const log = { info: () => {}, warn: () => {} };
  return { now: () => instantFromMs(Date.now()), random: () => 0.5, log, network: { fetch, openSocket } };
}

function noEvents() {
  return { onBooks: () => {}, onTrust: () => {}, onTick: () => {}, onResolved: () => {} };
}

function priceOf(level: number): string {
  return (0.31 + level / 100).toFixed(2);
}

function mirroredPriceOf(level: number): string {
  return (0.69 - level / 100).toFixed(2);
}

function levelsAt(price: (level: number) => string) {
  return Array.from({ length: LEVELS }, (_, level) => ({ price: price(level), size: '10' }));
}

function polymarketFeed(markets: number): Feed {
  const receivers = new Map<string, Receive>();
  const [bids, asks] = [levelsAt(priceOf), levelsAt(mirroredPriceOf)];
  const openSocket = socketsTo((receive, command) => {
    if (!command.startsWith('{')) return;
    for (const token of (JSON.parse(command) as { assets_ids?: string[] }).assets_ids ?? []) {
      receivers.set(token, receive);
      const about = { event_type: 'book', asset_id: token, market: '0x0', timestamp: String(Date.now()), hash: '0' };
      receive(JSON.stringify({ ...about, bids, asks }));
    }
  });
  const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
  const stream = new PolymarketMarketStream({
    url: 'ws://one',
    config: UNDISTURBED,
    runtime: runtimeWith(openSocket),
    prices: { fetchBooks: silent, fetchQuotes: silent },
    ticks: createTicks(() => instantFromMs(Date.now())),
    otherTokens: (token) => {
      const { market, side } = marketOfToken(token) ?? { market: 0, side: 0 };
      return [tokenOf(market, side === 0 ? 1 : 0)];
    },
    events: noEvents(),
  });
  const row = (token: string, side: string, price: string, size: string) =>
    `{"asset_id":"${token}","price":"${price}","size":"${size}","side":"${side}",` +
    '"hash":"0f1c6c1b1d1e5c5f4a8f0c1b7f7a1a1d2e3f4a5b","best_bid":"0.4","best_ask":"0.6"}';
  const tokens = Array.from({ length: markets * 2 }, (_, at) => tokenOf(at >> 1, (at % 2) as 0 | 1));
  return {
    ...{ stream, tokens },
    frame: (market, level, grows) => {
      const [yes = '', no = ''] = tokens.slice(market * 2, market * 2 + 2);
      const size = grows ? '11' : '10';
      const rows = `${row(yes, 'BUY', priceOf(level), size)},${row(no, 'SELL', mirroredPriceOf(level), size)}`;
      const text = `{"market":"${conditionOf(market)}","price_changes":[${rows}],"timestamp":"${Date.now()}","event_type":"price_change"}`;
      return () => receivers.get(yes)?.(text);
    },
  };
}

function kalshiFeed(markets: number): Feed {
  const tickers = Array.from({ length: markets }, (_, market) => `KXGAME-26NOV30-T${market}`);
  const receivers = new Map<string, Receive>();
  const numbers = new Map<Receive, number>();
  const levels = levelsAt(priceOf).map(({ price }) => [`${price}00`, '10.00']);
  const framed = (receive: Receive, type: string, msg: object) => {
    const seq = (numbers.get(receive) ?? 0) + 1;
    numbers.set(receive, seq);
    return JSON.stringify({ type, msg, sid: 1, seq });
  };
  type Command = { id: number; cmd: string; params: { channels?: string[]; market_tickers?: string[] } };
  const openSocket = socketsTo((receive, command) => {
    const { id, cmd, params } = JSON.parse(command) as Command;
    if (cmd === 'subscribe' && params.channels?.[0] === 'orderbook_delta')
      receive(JSON.stringify({ type: 'subscribed', id, msg: { channel: 'orderbook_delta', sid: 1 } }));
    for (const ticker of params.market_tickers ?? []) {
      receivers.set(ticker, receive);
      const sides = { yes_dollars_fp: levels, no_dollars_fp: levels };
      receive(framed(receive, 'orderbook_snapshot', { market_ticker: ticker, ...sides }));
    }
  });
  const { privateKey } = generateKeyPairSync('ed25519');
  const stream = new KalshiMarketStream({
    url: 'ws://other',
    config: { ...KALSHI_DEFAULTS.stream, verifyEveryMs: UNDISTURBED.silenceMs, silenceMs: UNDISTURBED.silenceMs },
    signer: openSigner('key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    runtime: runtimeWith(openSocket),
    events: noEvents(),
    venueNow: () => instantFromMs(Date.now()),
    onActivity: () => {},
  });
  return {
    ...{ stream, tokens: tickers.flatMap((ticker) => [`kalshi:${ticker}:yes`, `kalshi:${ticker}:no`]) },
    frame: (market, level, grows) => {
      const ticker = tickers[market] ?? '';
      const receive = receivers.get(ticker);
      if (receive === undefined) return () => {};
      const about = { market_ticker: ticker, market_id: '0f1c6c1b-1d1e-5c5f-4a8f-0c1b7f7a1a1d' };
      const change = { price_dollars: `${priceOf(level)}00`, delta_fp: grows ? '1.00' : '-1.00', side: 'yes' };
      const at = { ts: new Date().toISOString(), ts_ms: Date.now() };
      const text = framed(receive, 'orderbook_delta', { ...about, ...change, ...at });
      return () => receive(text);
    },
  };
}
