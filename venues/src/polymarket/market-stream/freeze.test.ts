import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VenueSocket } from '../../network.ts';
import type { BookSnapshot } from '../../venue.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { createTicks } from '../ticks.ts';
import { PolymarketMarketStream } from './market-stream.ts';

const SOCKETS = 500;
const TOKENS_PER_SOCKET = 7;
const TOKENS = Array.from({ length: SOCKETS * TOKENS_PER_SOCKET }, (_, nth) => `t${nth}`);
const READ_TAKES_MS = 60;
/** What the venue takes from one address. */
const READS_PER_SECOND = 50;
const STEP_MS = 10;

let stream: PolymarketMarketStream;
/** Tokens whose frames the venue keeps back; keep-alives are answered all the same. */
let frozen: Set<string>;
/** The dollars of each best bid at the venue. */
let sizes: Map<string, number>;
let tellOf: Map<string, (frame: object) => void>;
/** When each call of 100 tokens was made. */
let readsAt: number[];
let random: number;

beforeEach(async () => {
  vi.useFakeTimers();
  [frozen, tellOf, readsAt, random] = [new Set(), new Map(), [], 1];
  sizes = new Map(TOKENS.map((token) => [token, 10]));
});

afterEach(async () => {
  const closed = stream.close();
  await vi.advanceTimersByTimeAsync(10);
  await closed;
  vi.useRealTimers();
});

function openSocket(): VenueSocket {
  const listeners = new Map<string, (...args: never[]) => void>();
  const tell = (event: string, ...args: unknown[]) => setTimeout(() => listeners.get(event)?.(...(args as never[])), 1);
  tell('open');
  return {
    readyState: 1,
    send: (text) => {
      if (text === 'PING') return void tell('message', 'PONG', false);
      for (const token of (JSON.parse(text) as { assets_ids: string[] }).assets_ids) {
        tellOf.set(token, (frame) => frozen.has(token) || tell('message', JSON.stringify(frame), false));
        tellOf.get(token)?.(book(token));
      }
    },
    terminate: () => void tell('close'),
    on: (event: string, listener: (...args: never[]) => void) => listeners.set(event, listener),
  };
}

const level = (token: string) => ({ price: '0.4', size: String(sizes.get(token)) });

const book = (token: string) => ({
  ...{ event_type: 'book', asset_id: token, timestamp: String(Date.now()) },
  ...{ bids: [level(token)], asks: [{ price: '0.6', size: '10' }] },
});

const snapshot = (tokenId: string): BookSnapshot => ({
  tokenId,
  bids: [{ price: priceFromText('0.4'), size: sharesFromNumber(sizes.get(tokenId) ?? 0) }],
  asks: [{ price: priceFromText('0.6'), size: sharesFromNumber(10) }],
  timestamp: instantFromMs(Date.now()),
  tick: null,
});

async function openStream(): Promise<void> {
  stream = new PolymarketMarketStream({
    url: 'ws://venue/ws/market',
    config: { ...POLYMARKET_DEFAULTS.stream, tokensPerSocket: TOKENS_PER_SOCKET + 1 },
    runtime: {
      now: () => instantFromMs(Date.now()),
      random: () => 0.5,
      log: { info: () => undefined, warn: () => undefined },
      network: { fetch, openSocket },
    },
    prices: {
      fetchBooks: async (tokenIds) => {
        for (let nth = 0; nth < tokenIds.length; nth += 100) readsAt.push(Date.now());
        const books = new Map(tokenIds.map((id) => [id, snapshot(id)]));
        await new Promise((resolve) => setTimeout(resolve, READ_TAKES_MS));
        return books;
      },
      fetchQuotes: async () => new Map(),
    },
    ticks: createTicks(() => instantFromMs(0)),
    otherTokens: () => [],
    events: { onBooks: () => {}, onTrust: () => {}, onTick: () => {}, onResolved: () => {} },
  });
  stream.subscribe(TOKENS);
  await vi.advanceTimersByTimeAsync(50);
  expect(stream.health()).toMatchObject({ sockets: SOCKETS, tokens: TOKENS.length });
}

/** Books change at the venue, `perSecond` of any token, until `isOver`. @returns after how many milliseconds; null: not within `forMs` */
async function trade(perSecond: number, forMs: number, isOver: () => boolean = () => false): Promise<number | null> {
  for (let passedMs = 0; passedMs < forMs; passedMs += STEP_MS) {
    for (let nth = 0; nth < (perSecond * STEP_MS) / 1000; nth += 1) change(TOKENS[nextRandom(TOKENS.length)] ?? '');
    await vi.advanceTimersByTimeAsync(STEP_MS);
    if (isOver()) return passedMs + STEP_MS;
  }
  return null;
}

function change(token: string): void {
  sizes.set(token, (sizes.get(token) ?? 0) + 1);
  const { price, size } = level(token);
  const stated = { best_bid: '0.4', best_ask: '0.6' };
  const timestamp = String(Date.now());
  const price_changes = [{ asset_id: token, side: 'BUY', price, size, ...stated }];
  tellOf.get(token)?.({ event_type: 'price_change', timestamp, price_changes });
}

function nextRandom(below: number): number {
  random = (random * 48_271) % 2_147_483_647;
  return random % below;
}

/** The tokens of a socket, by its number. */
const onSocket = (nth: number) => TOKENS.slice(nth * TOKENS_PER_SOCKET, (nth + 1) * TOKENS_PER_SOCKET);
const isStale = (token: string) => stream.book(token)?.trust === 'stale';
/** Whether each has been stale since: a socket that is opened anew begins with fresh books. */
function wereStale(tokens: readonly string[]): () => boolean {
  const trusted = new Set(tokens);
  return () => {
    for (const token of trusted) if (isStale(token)) trusted.delete(token);
    return trusted.size === 0;
  };
}

function expectWithinBudget(): void {
  for (const at of readsAt)
    expect(readsAt.filter((other) => other > at - 1000 && other <= at).length).toBeLessThanOrEqual(READS_PER_SECOND);
}

const BUSY = 2000;

describe('what freezes of a venue with five hundred sockets', () => {
  it('all: no book is trusted three seconds later', async () => {
    await openStream();
    await trade(BUSY, 3000);
    expect(TOKENS.some(isStale)).toBe(false);
    [readsAt, frozen] = [[], new Set(TOKENS)];
    expect(await trade(BUSY, 3000, wereStale(TOKENS))).not.toBe(null);
    expectWithinBudget();
  });

  it('one: its books are not trusted a second and a half later, and those of the others are again once they show life', async () => {
    await openStream();
    await trade(BUSY, 3000);
    [readsAt, frozen] = [[], new Set(onSocket(250))];
    expect(await trade(BUSY, 1500, wereStale(onSocket(250)))).not.toBe(null);
    const others = TOKENS.filter((token) => !frozen.has(token));
    expect(await trade(BUSY, 4000, () => !others.some(isStale))).not.toBe(null);
    expectWithinBudget();
  });

  it('half: none of its books is trusted three seconds later, and all of the others are soon', async () => {
    await openStream();
    await trade(BUSY, 3000);
    const half = Array.from({ length: SOCKETS / 2 }, (_, nth) => onSocket(2 * nth)).flat();
    [readsAt, frozen] = [[], new Set(half)];
    expect(await trade(BUSY, 3000, wereStale(half))).not.toBe(null);
    const others = TOKENS.filter((token) => !frozen.has(token));
    expect(await trade(BUSY, 4000, () => !others.some(isStale))).not.toBe(null);
    expectWithinBudget();
  });

  it('a single token: it is found by the comparisons of its socket, in their turn', async () => {
    await openStream();
    const [token = ''] = onSocket(250);
    [readsAt, frozen] = [[], new Set([token])];
    change(token);
    expect(await trade(200, 90_000, () => isStale(token))).not.toBe(null);
    expectWithinBudget();
  });

  it('sockets that answer keep-alives and bring nothing from the beginning: what REST said is not trusted once it is old', async () => {
    frozen = new Set(TOKENS);
    await openStream();
    await trade(0, 30_000, () => TOKENS.every((token) => stream.book(token)?.trust !== undefined && !isStale(token)));
    expect(TOKENS.some(isStale)).toBe(false);
    readsAt = [];
    expect(await trade(BUSY, 3000, wereStale(TOKENS))).not.toBe(null);
    expectWithinBudget();
  });
});
