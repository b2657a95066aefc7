import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJsonApi, type JsonApi, openReadSlots } from './transport.ts';
import { VenueBusy, VenueUnavailable } from './venue.ts';

let server: Server;
let api: JsonApi;
let baseUrl: string;
let now: Instant;
let asked: string[];
/** What the next call is refused with; null answers it. */
let refusal: { status: number; retryAfter?: string } | null;

beforeEach(async () => {
  now = instantFromIso('2026-01-01T00:00:00Z');
  asked = [];
  refusal = null;
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (refusal?.retryAfter !== undefined) response.setHeader('retry-after', refusal.retryAfter);
    response.statusCode = refusal?.status ?? 200;
    refusal = null;
    response.end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = createJsonApi(baseUrl, 10_000, { now: () => now });
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

const pass = (ms: number) => {
  now = instantFromMs(now + ms);
};

describe('a venue that wants fewer calls', () => {
  it.each([
    ['says for how many seconds', { status: 429, retryAfter: '7' }, 7000],
    ['says until when', { status: 429, retryAfter: 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    ['does not say for how long', { status: 429 }, 1000],
    ['is down for a while', { status: 503, retryAfter: '2' }, 2000],
    ['says for days', { status: 429, retryAfter: '864000' }, 60_000],
  ])('and %s is left alone for that long', async (_case, refused, restMs) => {
    refusal = refused;
    await expect(api.post('/books', [])).rejects.toThrow(`answered ${refused.status}`);
    pass(restMs - 1);
    await expect(api.post('/books', [])).rejects.toThrow(VenueUnavailable);
    expect(asked).toEqual(['POST /books']);
    pass(1);
    expect(await api.post('/books', [])).toEqual([]);
    expect(asked).toEqual(['POST /books', 'POST /books']);
  });

  it('goes on answering other calls, and is asked again at once after an ordinary error', async () => {
    refusal = { status: 429, retryAfter: '7' };
    await expect(api.get('/markets/1', {})).rejects.toThrow('answered 429');
    await expect(api.get('/markets/2', { closed: 'false' })).rejects.toThrow('was not sent');
    refusal = { status: 500 };
    await expect(api.post('/books', [])).rejects.toThrow('answered 500');
    await api.post('/books', []);
    expect(asked).toEqual(['GET /markets/1', 'POST /books', 'POST /books']);
  });

  it('goes on reading our trades while it wants fewer readings of our orders, and the other way round', async () => {
    for (const [refused, other] of [
      ['/data/orders', '/data/trades'],
      ['/data/trades', '/data/orders'],
    ] as const) {
      refusal = { status: 429, retryAfter: '7' };
      await expect(api.get(refused, {})).rejects.toThrow('answered 429');
      await expect(api.get(refused, { id: '1' })).rejects.toThrow('was not sent');
      expect(await api.get(other, { market: '1' })).toEqual([]);
      pass(7000);
    }
  });
});

describe('a venue that is asked more often than it allows', () => {
  it('is not asked by a reader, who gets when to come again, while trading and other reads go on', async () => {
    const takeSlot = openReadSlots(new Map([['/books', { calls: 10, windowMs: 60_000 }]]), () => now);
    const paced = createJsonApi(baseUrl, 10_000, { now: () => now, takeSlot });
    await paced.post('/books', [], 'display');
    const refused = paced.post('/books', [], 'display');
    await expect(refused).rejects.toBeInstanceOf(VenueBusy);
    await expect(refused).rejects.toMatchObject({ retryAfterMs: 7500 });
    expect(asked).toEqual(['POST /books']);
    expect(await paced.post('/books', [])).toEqual([]);
    expect(await paced.post('/midpoints', [], 'display')).toEqual([]);
    pass(15_000);
    expect(await paced.post('/books', [], 'display')).toEqual([]);
    expect(asked).toEqual(['POST /books', 'POST /books', 'POST /midpoints', 'POST /books']);
  });

  it('is asked by who follows prices once there is a slot', async () => {
    vi.useFakeTimers();
    try {
      const takeSlot = openReadSlots(new Map([['/books', { calls: 10, windowMs: 60_000 }]]), () => now);
      const answers: number[] = [];
      for (const nth of [1, 2]) void takeSlot('/books', 'following').then(() => answers.push(nth));
      await vi.advanceTimersByTimeAsync(7499);
      expect(answers).toEqual([1]);
      await vi.advanceTimersByTimeAsync(1);
      expect(answers).toEqual([1, 2]);
    } finally {
      vi.useRealTimers();
    }
  });
});
