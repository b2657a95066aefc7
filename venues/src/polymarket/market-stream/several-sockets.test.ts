import { setImmediate as tick } from 'node:timers/promises';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VenueSocket } from '../../network.ts';
import type { BookSnapshot } from '../../venue.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { createTicks } from '../ticks.ts';
import { PolymarketMarketStream } from './market-stream.ts';

/** Each on a socket of its own. */
const TOKENS = ['A', 'B', 'C'];

type Line = Pick<VenueSocket, 'on'> & {
  wants: string[];
  isHeld: () => boolean;
  answers: () => void;
  says: (frame: object) => void;
  breaks: () => void;
  opens: () => void;
};

let stream: PolymarketMarketStream;
let lines: Line[];
/** The best bid of each token as it was when the token was published last. */
let reported: Map<string, number | undefined>;
/** What was published, token by token, with the best bids that all tokens had at that moment. */
let journal: string[];
let answerReads: (books: Map<string, BookSnapshot>) => void;
let now: number;

const bestBid = (token: string) => stream.book(token)?.book.bids[0]?.price;
/** In cents, and whether it is trusted. */
const seen = (token: string) => `${token}${(bestBid(token) ?? 0) / 10_000}`;

/** What a reader finds who looks at books without a call: nothing that was not published. */
function expectNothingUnreported(): void {
  expect(new Map(TOKENS.map((token) => [token, bestBid(token)]))).toEqual(
    new Map(TOKENS.map((token) => [token, reported.get(token)])),
  );
}

function openLine(): VenueSocket {
  const listeners: { event: string; listener: (...args: never[]) => void }[] = [];
  const tell = (event: string, ...args: unknown[]) => {
    for (const one of listeners) if (one.event === event) one.listener(...(args as never[]));
  };
  let isHeld = false;
  const line: Line = {
    wants: [],
    isHeld: () => isHeld,
    answers: () => tell('message', 'PONG', false),
    on: (event: string, listener: (...args: never[]) => void) => listeners.push({ event, listener }),
    says: (frame) => tell('message', JSON.stringify(frame), false),
    breaks: () => tell('close'),
    opens: () => tell('open'),
  };
  lines.push(line);
  const send = (text: string) => {
    if (text !== 'PING') line.wants.push(...(JSON.parse(text) as { assets_ids: string[] }).assets_ids);
  };
  const hold = (held: boolean) => () => {
    isHeld = held;
  };
  const [pause, resume] = [hold(true), hold(false)];
  return { ...line, readyState: 1, send, terminate: line.breaks, pause, resume };
}

function openStream(tokensPerSocket: number): PolymarketMarketStream {
  const note = (tokenIds: readonly string[]) => {
    for (const token of tokenIds) reported.set(token, bestBid(token));
    journal.push(`${tokenIds.join()}: ${TOKENS.map(seen).join(' ')}`);
  };
  return new PolymarketMarketStream({
    url: 'ws://venue/ws/market',
    config: { ...POLYMARKET_DEFAULTS.stream, tokensPerSocket, resyncAfterMs: 0, snapshotWaitMs: 0 },
    runtime: {
      now: () => instantFromMs(now),
      random: () => 0.5,
      log: { info: () => undefined, warn: () => undefined },
      network: { fetch, openSocket: openLine },
    },
    prices: {
      fetchBooks: () =>
        new Promise((answer) => {
          answerReads = answer;
        }),
      fetchQuotes: async () => new Map(),
    },
    ticks: createTicks(() => instantFromMs(0)),
    otherTokens: (token) => (token.endsWith('-no') ? [token.slice(0, -3)] : [`${token}-no`]),
    events: {
      onBooks: note,
      onTrust: () => undefined,
      onTick: () => undefined,
      onResolved: (marketId) => {
        expectNothingUnreported();
        journal.push(`${marketId} resolved`);
      },
    },
  });
}

beforeEach(async () => {
  [lines, reported, journal, now] = [[], new Map(), [], 1000];
  stream = openStream(1);
  stream.subscribe(TOKENS);
  for (const [index, line] of lines.entries()) {
    line.opens();
    line.says(book(TOKENS[index] ?? '', '0.40', 1));
  }
  await tick();
  journal.length = 0;
});

afterEach(() => stream.close());

const book = (token: string, bid: string, timestamp: number) => ({
  event_type: 'book',
  asset_id: token,
  timestamp: String(timestamp),
  bids: [{ price: bid, size: '10' }],
  asks: [{ price: '0.60', size: '10' }],
});

const rise = (token: string, bid: string, timestamp: number) => ({
  event_type: 'price_change',
  timestamp: String(timestamp),
  price_changes: [{ asset_id: token, side: 'BUY', price: bid, size: '10', best_bid: bid, best_ask: '0.60' }],
});

const snapshot = (tokenId: string, bid: string): BookSnapshot => ({
  tokenId,
  bids: [{ price: priceFromText(bid), size: sharesFromNumber(10) }],
  asks: [{ price: priceFromText('0.60'), size: sharesFromNumber(10) }],
  timestamp: 5 as Instant,
  tick: null,
});

it('has nothing applied of another socket while it tells of one, but what it tells of as well', async () => {
  lines[0]?.says(rise('A', '0.41', 2));
  lines[1]?.says(rise('B', '0.42', 3));
  lines[0]?.says(rise('A', '0.43', 4));
  await tick();
  expect(journal).toEqual(['A: A41 B40 C40', 'B: A41 B42 C40', 'A: A43 B42 C40']);
});

it('tells of one event together, over whichever sockets it came', async () => {
  lines[0]?.says(rise('A', '0.41', 2));
  lines[1]?.says(rise('B', '0.42', 2));
  await tick();
  expect(journal).toEqual(['A,B: A41 B42 C40']);
});

it('shows a reader between two frames, as a decision that goes on after an answer of the database, no unpublished book', async () => {
  lines[0]?.says(rise('A', '0.41', 2));
  await Promise.resolve();
  expectNothingUnreported();
  lines[1]?.says(rise('B', '0.42', 2));
  await Promise.resolve();
  expectNothingUnreported();
  expect(journal).toEqual([]);
  await tick();
  expectNothingUnreported();
  expect(journal).toEqual(['A,B: A41 B42 C40']);
});

it('tells of what came before when a market is resolved', async () => {
  lines[0]?.says(rise('A', '0.41', 2));
  lines[0]?.says({ event_type: 'market_resolved', market: 'M', winning_asset_id: 'A', timestamp: '2' });
  await tick();
  expect(journal).toEqual(['A: A41 B40 C40', 'M resolved']);
});

it('tells of fresh books as soon as they are there', async () => {
  for (const line of lines) line.says({ event_type: 'tick_size_change', asset_id: 'A', new_tick_size: '0.001' });
  await until(() => answerReads !== undefined);
  answerReads(new Map([['A', snapshot('A', '0.45')]]));
  for (let looks = 0; looks < 10; looks += 1) {
    await Promise.resolve();
    expectNothingUnreported();
  }
  expect(journal).toEqual(['A: A45 B40 C40']);
});

it('reads what a connection brought before it broke, and trusts nothing of that afterwards', async () => {
  lines[0]?.says(book('A', '0.44', 7));
  lines[0]?.breaks();
  expect(journal).toEqual(['A: A44 B40 C40']);
  await until(() => lines.length > TOKENS.length);
  lines[TOKENS.length]?.opens();
  await tick();
  expect(stream.book('A')?.trust).toBe('stale');
});

it('notes when a frame arrived, not when it was read', async () => {
  lines[0]?.says(rise('A', '0.41', 2));
  now = 2000;
  await tick();
  expect(stream.book('A')?.receivedAt).toBe(1000);
});

describe('20,000 frames at once', () => {
  const FRAMES = 20_000;
  /** Two of each moment of the venue, on two sockets. */
  const bringAll = () => {
    for (let nth = 0; nth < FRAMES; nth += 1)
      lines[nth % 2]?.says(rise(nth % 2 === 0 ? 'A' : 'B', `0.4${nth % 9}`, timeOf(nth)));
  };
  const timeOf = (nth: number) => 10 + Math.floor(nth / 2);
  const timeIn = (token: string) => stream.book(token)?.venueTimestamp;

  it('are read in their order, whole moments at a time, and other things have their time between', async () => {
    bringAll();
    const between: unknown[] = [];
    while (timeIn('B') !== timeOf(FRAMES - 1)) {
      await tick();
      expect(timeIn('A')).toBe(timeIn('B'));
      expectNothingUnreported();
      between.push(timeIn('A'));
    }
    expect(between.length).toBeGreaterThan(20);
    expect(between).toEqual([...new Set(between)].toSorted((a, b) => Number(a) - Number(b)));
  });

  it('hold up the sockets that bring them until they are read', async () => {
    bringAll();
    expect(lines.map(({ isHeld }) => isHeld())).toEqual([true, true, false]);
    await until(() => timeIn('B') === timeOf(FRAMES - 1));
    await tick();
    expect(lines.map(({ isHeld }) => isHeld())).toEqual([false, false, false]);
  });

  it('are as old as they were when they arrived, and what a lost connection has left says nothing of the next', async () => {
    bringAll();
    now = 5000;
    await tick();
    expect(stream.book('A')?.receivedAt).toBe(1000);
    lines[0]?.breaks();
    await until(() => lines.length > TOKENS.length);
    const again = lines[TOKENS.length];
    again?.opens();
    await until(() => timeIn('B') === timeOf(FRAMES - 1));
    expect([stream.book('A')?.trust, timeIn('A') === timeIn('B')]).toEqual(['stale', false]);
    again?.says(book('A', '0.49', timeOf(FRAMES)));
    await tick();
    expect([stream.book('A')?.trust, bestBid('A')]).toEqual(['live', 490_000]);
  });

  it('prove nothing by a PONG that came behind them while they are not read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    const { pingEveryMs, pongLateMs } = POLYMARKET_DEFAULTS.stream;
    const other = openStream(1);
    other.subscribe(['D']);
    const line = lines.at(-1);
    line?.opens();
    line?.says(book('D', '0.40', 1));
    await tick();
    vi.advanceTimersByTime(pingEveryMs);
    for (let nth = 0; nth < FRAMES; nth += 1) line?.says(rise('D', `0.4${nth % 9}`, timeOf(nth)));
    line?.answers();
    vi.advanceTimersByTime(pongLateMs);
    for (let nth = 0; nth < 3; nth += 1) await tick();
    expect(other.book('D')?.trust).toBe('stale');
    await until(() => other.book('D')?.venueTimestamp === timeOf(FRAMES - 1));
    await tick();
    vi.advanceTimersByTime(pingEveryMs);
    line?.answers();
    await tick();
    expect(other.book('D')?.trust).toBe('live');
    vi.useRealTimers();
    await other.close();
  });
});

it('has both tokens of a market on one socket, though the second is wanted later, while there is room', async () => {
  const first = lines.length;
  const other = openStream(8);
  other.subscribe(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']);
  for (const line of lines.slice(first)) line.opens();
  other.subscribe(['C-no', 'I-no', 'B-no']);
  expect(lines.slice(first).map(({ wants }) => wants.join(' '))).toEqual(['A B C D E F G C-no', 'H I I-no B-no']);
  await other.close();
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await tick();
}
