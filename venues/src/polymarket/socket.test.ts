import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { VenueSocket } from '../network.ts';
import type { VenueRuntime } from '../venue.ts';
import { POLYMARKET_DEFAULTS } from './config.ts';
import { ReconnectingSocket } from './socket.ts';

const { pingEveryMs, pongLateMs, pongTimeoutMs, silenceMs } = POLYMARKET_DEFAULTS.stream;
const FRAME = '{"event_type":"price_change"}';
const FRAME_EVERY_MS = 20;
/** What has arrived is read before anything counts as late: a silence and a late PONG take two steps of the test's clock each. */
const READ_MS = 4;

let pings: number;
/** In order: the frames read, `suspect`, `sound`, `down`. */
let reported: string[];
let bring: (text: string) => void;
let kept: ReconnectingSocket;

beforeEach(() => {
  vi.useFakeTimers();
  [pings, reported] = [0, []];
  const socket = openByHand();
  bring = socket.bring;
  kept = new ReconnectingSocket(
    'ws://by.hand',
    POLYMARKET_DEFAULTS.stream,
    {
      onOpen: () => undefined,
      onDown: () => void reported.push('down'),
      onFrame: (text) => void reported.push(text),
      onSuspect: (isSuspect) => void reported.push(isSuspect ? 'suspect' : 'sound'),
      onSilence: () => undefined,
    },
    socket.runtime,
  );
  socket.open();
});

afterEach(async () => {
  await kept.close();
  vi.useRealTimers();
});

/** A connection whose other end is this test. */
function openByHand(): { runtime: VenueRuntime; open: () => void; bring: (text: string) => void } {
  const listeners = new Map<string, (data: string, isBinary: boolean) => void>();
  const tell = (event: string, data = '') => listeners.get(event)?.(data, false);
  const socket: VenueSocket = {
    readyState: 1,
    send: () => {
      pings += 1;
    },
    terminate: () => tell('close'),
    on: (event: string, listener: (...args: never[]) => void) =>
      listeners.set(event, listener as (data: string, isBinary: boolean) => void),
  };
  const network = { fetch, openSocket: () => socket };
  const log = { info: () => undefined, warn: () => undefined };
  const runtime: VenueRuntime = { now: () => instantFromMs(Date.now()), random: Math.random, log, network };
  return { runtime, open: () => tell('open'), bring: (text) => tell('message', text) };
}

/** Frames without a pause; `onPing` is called for every PING sent meanwhile. */
function flow(ms: number, onPing: () => void = () => undefined): void {
  for (let passedMs = 0; passedMs < ms; passedMs += FRAME_EVERY_MS) {
    const before = pings;
    vi.advanceTimersByTime(FRAME_EVERY_MS);
    bring(FRAME);
    for (let nth = before; nth < pings; nth += 1) onPing();
  }
}

const verdicts = () => reported.filter((what) => what !== FRAME);

describe('a kept connection', () => {
  it('asks regularly under a steady flow, and is trusted while it is answered', () => {
    flow(4 * pingEveryMs, () => bring('PONG'));
    expect([pings, verdicts()]).toEqual([4, []]);
  });

  it('is suspect when the answer stays away, although data flows', () => {
    flow(pingEveryMs + pongLateMs + READ_MS);
    expect(verdicts()).toEqual(['suspect']);
  });

  it('takes nothing that was held up for the present, until a PING sent after it is answered', () => {
    vi.advanceTimersByTime(silenceMs + pongLateMs + READ_MS);
    expect([pings, verdicts()]).toEqual([1, ['suspect']]);
    bring('PONG');
    bring(FRAME);
    bring(FRAME);
    expect([pings, reported]).toEqual([2, ['suspect', FRAME, FRAME]]);
    bring('PONG');
    expect(reported).toEqual(['suspect', FRAME, FRAME, 'sound']);
  });

  it('counts the answers, so that a late one is not taken for that to a newer PING', () => {
    vi.advanceTimersByTime(silenceMs + pongLateMs + READ_MS);
    bring(FRAME);
    bring('PONG');
    expect([pings, verdicts()]).toEqual([2, ['suspect']]);
    bring('PONG');
    expect(verdicts()).toEqual(['suspect', 'sound']);
  });

  it('stays suspect while every answer comes late', () => {
    const dueMs: number[] = [];
    const lagMs = 3 * pongLateMs;
    const startMs = Date.now();
    while (Date.now() < startMs + pingEveryMs + pongLateMs + pongTimeoutMs / 2) {
      flow(FRAME_EVERY_MS, () => dueMs.push(Date.now() + lagMs));
      if ((dueMs[0] ?? Number.POSITIVE_INFINITY) <= Date.now()) {
        dueMs.shift();
        bring('PONG');
      }
    }
    expect(verdicts()).toEqual(['suspect']);
  });

  it('is sound again a round trip after a lag ended, however much there was to read', () => {
    flow(pingEveryMs + 5 * pongLateMs);
    for (let answered = 0; answered < pings; answered += 1) bring('PONG');
    expect(verdicts()).toEqual(['suspect', 'sound']);
  });

  it('is given up when it stays suspect, although data flows: one answer that was lost would leave it so for ever', () => {
    flow(pingEveryMs + pongLateMs + READ_MS + pongTimeoutMs);
    expect(verdicts()).toEqual(['suspect', 'down']);
  });
});

describe('a process that is held up', () => {
  const HELD_UP_MS = 500;

  it('suspects no connection that has answered in time, and finds none silent that has brought data', async () => {
    vi.useRealTimers();
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const heldUp = Promise.withResolvers<void>();
    server.on('connection', (socket) => {
      socket.on('message', () => {
        socket.send('PONG');
        socket.send(FRAME);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS);
        heldUp.resolve();
      });
    });
    const said: string[] = [];
    const { network: _, ...runtime } = openByHand().runtime;
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const socket = new ReconnectingSocket(
      url,
      { ...POLYMARKET_DEFAULTS.stream, pingEveryMs: 30, pongLateMs: HELD_UP_MS - 100, silenceMs: HELD_UP_MS - 100 },
      {
        ...{ onOpen: () => undefined, onDown: () => undefined },
        onFrame: () => void said.push('frame'),
        onSuspect: () => void said.push('suspect'),
        onSilence: () => void said.push('silent'),
      },
      runtime,
    );
    await heldUp.promise;
    await expect.poll(() => said).toContain('frame');
    expect(said[0]).toBe('frame');
    expect(said).not.toContain('suspect');
    await socket.close();
    server.close();
  });
});
