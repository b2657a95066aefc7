/** A venue's market channel on a thread of its own, which plays a game on many markets at a steady rate and remembers what its books must be. */

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { Runtime } from '@dutchbook/server/runtime.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { PolymarketMarketStream } from '@dutchbook/venues/polymarket/market-stream/market-stream.ts';
import { openPrices } from '@dutchbook/venues/polymarket/prices.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { createJsonApi } from '@dutchbook/venues/polymarket/transport.ts';
import {
  type MarketStream,
  type MarketStreamEvents,
  type VenuePrices,
  type VenueRuntime,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import { WebSocket } from 'ws';
import { median } from '../rows.ts';
import { otherTokens } from './desk.ts';
import type { Game } from './recorded-game.ts';

/** How many changes a frame carries depends on which tokens share a connection, so that either is paced by itself. */
export type PlayPlan = { seconds: number } & ({ framesPerSecond: number } | { changesPerSecond: number });

/** What the main thread asks of the sender. */
export type Wish = { kind: 'play'; plan: PlayPlan } | { kind: 'subscribed' } | { kind: 'books' };

/** All that was sent so far: frames, and level changes, each counted once however many heard of it. `lateMs`: how far behind its plan the sender fell. */
export type Sent = { frames: number; changes: number; lateMs: number };

/** `sentAtNs` is shared: the moment each frame left, by its number, modulo its length. */
export type SenderData = { game: Game; games: number; sentAtNs: BigInt64Array };

/** `tookUs`: of each frame that was decided, since it was sent. */
export type Played = { frames: number; changes: number; lateMs: number; tookUs: Float64Array };

const MOMENTS_KEPT = 2 ** 20;
const POLL_MS = 20;
const NEVER_MS = 3_600_000;
const REQUEST_MS_MAX = 10_000;

export type Sender = {
  /** The venue's calls for books, over HTTP. */
  openPrices: (runtime: Runtime) => VenuePrices;
  openStream: (events: MarketStreamEvents, runtime: Runtime) => MarketStream;
  /** Resolves when so many tokens are subscribed to and have been sent their books. */
  whenSubscribed: (tokens: number) => Promise<void>;
  /** Plays on, and resolves when all that was sent has been read. */
  play: (plan: PlayPlan) => Promise<Played>;
  /** What a reader that missed nothing holds now, of the tokens that were played. */
  books: () => Promise<ReadonlyMap<string, Book>>;
  /** Processor time that this thread takes for a level change, in us, where frames are received and parsed as JSON and no more. */
  parsingCpuUs: (tokens: readonly string[], plan: PlayPlan) => Promise<number>;
  /** How long a text of a frame's size takes over the socket and back, in us; half of it is the machine's own limit. */
  echoUs: () => Promise<number>;
  /** Processor time of the sender's own thread so far. */
  cpuUs: () => Promise<number>;
  close: () => Promise<void>;
};

export async function openSender({ game, games }: Pick<SenderData, 'game' | 'games'>): Promise<Sender> {
  const sentAtNs = new BigInt64Array(new SharedArrayBuffer(MOMENTS_KEPT * BigInt64Array.BYTES_PER_ELEMENT));
  const data: SenderData = { game, games, sentAtNs };
  const worker = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData: data });
  const answer = async (): Promise<unknown> => ((await once(worker, 'message')) as [unknown])[0];
  const address = `127.0.0.1:${await answer()}`;
  const url = `ws://${address}`;
  const ask = (wish: Wish) => {
    worker.postMessage(wish);
    return answer();
  };
  const before = { frames: 0, changes: 0 };
  let framesRead = 0;
  let tookUs: number[] = [];
  const whenSubscribed = async (tokens: number) => {
    while (((await ask({ kind: 'subscribed' })) as number) < tokens) await pause(POLL_MS);
    await pause(POLL_MS);
    tookUs = [];
  };
  const play = async (plan: PlayPlan) => {
    tookUs = [];
    const { frames, changes, lateMs } = (await ask({ kind: 'play', plan })) as Sent;
    while (framesRead < frames) await pause(POLL_MS);
    const played = { frames: frames - before.frames, changes: changes - before.changes, lateMs };
    Object.assign(before, { frames, changes });
    return { ...played, tookUs: Float64Array.from(tookUs) };
  };
  return {
    openPrices: (runtime) =>
      openPrices(
        createJsonApi(`http://${address}`, REQUEST_MS_MAX, venueRuntime(runtime)),
        venueRuntime(runtime),
        createTicks(() => instantFromMs(0)),
      ),
    openStream: (events, runtime) => {
      const stream: MarketStream = openStreamAt(url, runtime, {
        ...events,
        onFrame: () => {
          framesRead += 1;
        },
        onBooks: (tokenIds) => {
          events.onBooks(tokenIds);
          // The venue's time of a frame is its number.
          const nth = stream.book(tokenIds[0] ?? '')?.venueTimestamp ?? 0;
          const leftNs = sentAtNs[nth % MOMENTS_KEPT] ?? 0n;
          if (leftNs > 0n) tookUs.push(Number(process.hrtime.bigint() - leftNs) / 1000);
        },
      });
      return stream;
    },
    whenSubscribed,
    play,
    parsingCpuUs: async (tokens, plan) => {
      const sockets = await openParsers(url, tokens, () => {
        framesRead += 1;
      });
      await whenSubscribed(tokens.length);
      await play({ ...plan, seconds: plan.seconds / 4 });
      const cpuBefore = process.threadCpuUsage();
      const { changes } = await play(plan);
      const { user, system } = process.threadCpuUsage(cpuBefore);
      for (const socket of sockets) socket.terminate();
      return (user + system) / changes;
    },
    books: async () => (await ask({ kind: 'books' })) as ReadonlyMap<string, Book>,
    echoUs: () => measureEcho(`${url}/echo`),
    cpuUs: async () => sumOf(await worker.cpuUsage()),
    close: async () => void (await worker.terminate()),
  };
}

function sumOf({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

/** What the venue's own code asks of a runtime. */
export function venueRuntime({ clock, random, log }: Runtime): VenueRuntime {
  return { now: clock.now, random: random.fraction, log };
}

/** The product's own reader of the market channel at `url`; it asks nobody anything else. */
export function openStreamAt(url: string, runtime: Runtime, events: MarketStreamEvents): MarketStream {
  const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
  return new PolymarketMarketStream({
    url,
    config: { ...POLYMARKET_DEFAULTS.stream, silenceMs: NEVER_MS, compareEveryMs: NEVER_MS },
    runtime: venueRuntime(runtime),
    prices: { fetchBooks: silent, fetchQuotes: silent },
    ticks: createTicks(() => instantFromMs(0)),
    otherTokens,
    events,
  });
}

/** As many connections as the product opens for these tokens, each of which parses what it is told. */
async function openParsers(url: string, tokens: readonly string[], onChanges: () => void): Promise<WebSocket[]> {
  const { tokensPerSocket } = POLYMARKET_DEFAULTS.stream;
  const sockets: WebSocket[] = [];
  for (let from = 0; from < tokens.length; from += tokensPerSocket) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, 'open');
    socket.on('message', (data) => {
      if ('price_changes' in (JSON.parse(String(data)) as object)) onChanges();
    });
    socket.send(JSON.stringify({ assets_ids: tokens.slice(from, from + tokensPerSocket) }));
    sockets.push(socket);
  }
  return sockets;
}

const ECHOES = 500;
const FRAME_LENGTH = 600;

async function measureEcho(url: string): Promise<number> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const text = ' '.repeat(FRAME_LENGTH);
  const tookUs: number[] = [];
  for (let nth = 0; nth < ECHOES; nth += 1) {
    const startedAt = performance.now();
    socket.send(text);
    await once(socket, 'message');
    tookUs.push((performance.now() - startedAt) * 1000);
  }
  socket.terminate();
  return median(tookUs);
}
