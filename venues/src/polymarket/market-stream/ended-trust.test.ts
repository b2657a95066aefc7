import { setTimeout as pause } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VenueSocket } from '../../network.ts';
import { type BookSnapshot, VenueUnavailable } from '../../venue.ts';
import { POLYMARKET_DEFAULTS, type StreamConfig } from '../config.ts';
import { createTicks } from '../ticks.ts';
import { PolymarketMarketStream } from './market-stream.ts';

const SECOND_MS = 1000;
const SILENT_FOR_MS = 35 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;

let stream: PolymarketMarketStream;
/** What the venue does. */
let isStreamFrozen: boolean;
let areReadsDown: boolean;
let inRest: Set<string>;
/** Whose book has moved at the venue without a frame. */
let movedInRest: Set<string>;
let isStreamed: (token: string) => boolean;
let connections: number;
let toClient: (frame: object) => void;
const reported: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  [isStreamFrozen, areReadsDown, connections] = [false, false, 0];
  inRest = new Set(['A', 'B', 'C']);
  movedInRest = new Set();
  isStreamed = () => true;
});

afterEach(async () => {
  const closed = stream.close();
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  vi.useRealTimers();
});

const book = (token: string) => ({
  event_type: 'book',
  asset_id: token,
  timestamp: '1',
  bids: [{ price: '0.4', size: '10' }],
  asks: [{ price: '0.6', size: '10' }],
});

const snapshot = (tokenId: string): BookSnapshot => ({
  tokenId,
  bids: [{ price: priceFromText('0.4'), size: sharesFromNumber(10) }],
  asks: [{ price: priceFromText(movedInRest.has(tokenId) ? '0.7' : '0.6'), size: sharesFromNumber(10) }],
  timestamp: instantFromMs(1),
  tick: null,
});

/** Answers keep-alives whatever else it does, and begins with the books, as the venue. */
function openSocket(): VenueSocket {
  const listeners = new Map<string, (...args: never[]) => void>();
  const tell = (event: string, ...args: unknown[]) => setTimeout(() => listeners.get(event)?.(...(args as never[])), 1);
  connections += 1;
  toClient = (frame) => {
    if (!isStreamFrozen) tell('message', JSON.stringify(frame), false);
  };
  tell('open');
  return {
    readyState: 1,
    send: (text) => {
      if (text === 'PING') return void tell('message', 'PONG', false);
      const { assets_ids = [] } = JSON.parse(text) as { assets_ids?: string[] };
      for (const token of assets_ids) if (isStreamed(token)) toClient(book(token));
    },
    terminate: () => void tell('close'),
    on: (event: string, listener: (...args: never[]) => void) => listeners.set(event, listener),
  };
}

async function watch(tokens: string[], config: Partial<StreamConfig> = {}): Promise<void> {
  reported.length = 0;
  stream = new PolymarketMarketStream({
    url: 'ws://venue/ws/market',
    config: { ...POLYMARKET_DEFAULTS.stream, ...config },
    runtime: {
      now: () => instantFromMs(Date.now()),
      random: () => 0.5,
      log: { info: () => undefined, warn: () => undefined },
      network: { fetch, openSocket },
    },
    prices: {
      fetchBooks: async (tokenIds) => {
        if (areReadsDown) throw new VenueUnavailable('503');
        return new Map(tokenIds.filter((id) => inRest.has(id)).map((id) => [id, snapshot(id)]));
      },
      fetchQuotes: async () => new Map(),
    },
    ticks: createTicks(() => instantFromMs(0)),
    /** All tokens are of one market, so that they share sockets. */
    otherTokens: () => tokens,
    events: {
      onBooks: () => undefined,
      onTrust: (ids, trust) => void reported.push(`${[...ids].sort().join(' ')} ${trust}`),
      onTick: () => undefined,
      onResolved: () => undefined,
    },
  });
  stream.subscribe(tokens);
  await vi.advanceTimersByTimeAsync(500);
  expect(reported).toEqual([`${tokens.filter(isStreamed).join(' ')} live`]);
  reported.length = 0;
}

const trust = (token: string) => stream.book(token)?.trust;

/** The token trades every five seconds, for so long. */
async function trade(token: string, forMs: number): Promise<void> {
  for (let atMs = 0; atMs < forMs; atMs += 5 * SECOND_MS) {
    toClient(book(token));
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  }
}

describe('the trust in a book', () => {
  it('ends when its connection answers keep-alives but brings nothing, and REST cannot be read', async () => {
    await watch(['A', 'B']);
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    expect(trust('A')).toBe('verified');
    [isStreamFrozen, areReadsDown] = [true, true];
    await vi.advanceTimersByTimeAsync(SILENT_FOR_MS);
    expect([trust('A'), trust('B')]).toEqual(['stale', 'stale']);
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect([trust('A'), trust('B')]).toEqual(['stale', 'stale']);
    areReadsDown = false;
    await vi.advanceTimersByTimeAsync(SILENT_FOR_MS);
    expect([trust('A'), trust('B')]).toEqual(['verified', 'verified']);
  });

  it('comes back with a new connection where the market is only quiet and REST cannot be read', async () => {
    await watch(['A', 'B']);
    areReadsDown = true;
    await vi.advanceTimersByTimeAsync(SILENT_FOR_MS);
    expect(connections).toBe(2);
    expect(reported).toEqual(['A B stale', 'A B live']);
  });

  it('lasts while REST cannot be read and the connection brings data, for quiet tokens too', async () => {
    await watch(['A', 'B']);
    areReadsDown = true;
    await trade('A', 4 * MINUTE_MS);
    expect([trust('A'), trust('B'), connections]).toEqual(['live', 'live', 1]);
  });

  it('ends for a token of which nothing has been heard for minutes, although the connection brings data', async () => {
    await watch(['A', 'B']);
    areReadsDown = true;
    await trade('A', 5 * MINUTE_MS);
    expect([trust('A'), trust('B'), connections]).toEqual(['live', 'stale', 1]);
    areReadsDown = false;
    await trade('A', MINUTE_MS);
    expect([trust('A'), trust('B')]).toEqual(['verified', 'verified']);
  });

  it('ends within half a minute for one token of a full and busy socket that is not fed any more', async () => {
    const tokens = Array.from({ length: POLYMARKET_DEFAULTS.stream.tokensPerSocket }, (_, index) => `token-${index}`);
    inRest = new Set(tokens);
    await watch(tokens.toSorted(), { silenceMs: 60 * MINUTE_MS, silenceMaxMs: 60 * MINUTE_MS });
    await trade('token-0', MINUTE_MS);
    movedInRest.add('token-99');
    isStreamed = (token) => token !== 'token-99';
    await trade('token-0', 30 * SECOND_MS);
    // A comparison pauses on Node's own timers.
    await pause(POLYMARKET_DEFAULTS.stream.settleMs + 50);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(trust('token-99')).toBe('stale');
    expect(connections).toBe(2);
  });

  it('lasts for as long as REST agrees, however quiet the market is', async () => {
    await watch(['A', 'B']);
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect([trust('A'), trust('B'), connections]).toEqual(['verified', 'verified', 1]);
    expect(reported).toEqual(['A B verified']);
  });

  it('ends for a token alone that REST has no book of', async () => {
    await watch(['A', 'B']);
    inRest.delete('B');
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect([trust('A'), trust('B'), connections]).toEqual(['verified', 'stale', 1]);
    expect(reported).toEqual(['A verified', 'B stale']);
  });

  it('reaches other tokens although REST has no book of some', async () => {
    inRest = new Set(['C']);
    await watch(['A', 'B', 'C'], { compareTokens: 2, silenceMs: 60 * MINUTE_MS, silenceMaxMs: 60 * MINUTE_MS });
    await trade('A', MINUTE_MS + 5 * SECOND_MS);
    expect(trust('C')).toBe('verified');
  });

  it('does not end because the clock is set', async () => {
    await watch(['A']);
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(SILENT_FOR_MS);
    expect(reported).toEqual(['A verified']);
  });
});
