/** What one call may send and be answered with, and that no other caller waits for it. */
import { endpoint } from '@dutchbook/contract/endpoint.ts';
import { countInQuery } from '@dutchbook/contract/listing.ts';
import { price } from '@dutchbook/contract/quantities.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openTestApp, type TestApp } from './app.fixture.ts';
import { route } from './route.ts';

const tried = { access: 'public', tag: 'Tried', summary: 'Tried' } as const;
const take = endpoint({
  ...tried,
  method: 'POST',
  path: '/tried/take',
  body: z.strictObject({ price }),
  reply: z.boolean(),
});
const list = endpoint({
  ...tried,
  method: 'GET',
  path: '/tried/list',
  query: z.object({ count: countInQuery }),
  reply: z.object({
    first: z.string(),
    data: z.array(z.object({ place: z.int(), price })),
    none: z.array(z.int()),
    count: z.int(),
  }),
});

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
  route(app.app, take, () => true);
  route(app.app, list, ({ query: { count } }) => ({
    first: 'é',
    data: Array.from({ length: count }, (_, place) => ({ place, price: priceFromNumber(0.5) })),
    none: [],
    count,
  }));
});
afterAll(() => app[Symbol.asyncDispose]());

const JSON_BODY = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (url: string, payload: string, headers: Record<string, string>) =>
  app.http.inject({ method: 'POST', url, payload, headers });

describe('a call', () => {
  it('is refused without being judged where it holds more values than any call takes', async () => {
    const tooMany = { loc: ['body'], msg: 'Holds more than 5,000 values', type: 'value_error' };
    for (const body of [
      `[${'0,'.repeat(450_000)}0]`,
      `${'['.repeat(450_000)}${']'.repeat(450_000)}`,
      `[${'{},'.repeat(300_000)}{}]`,
    ]) {
      const reply = await post('/api/v1/tried/take', body, JSON_BODY);
      expect([reply.statusCode, reply.json().detail]).toEqual([422, [tooMany]]);
    }
    const fields = await post('/api/v1/login/access-token', 'a&'.repeat(400_000), FORM);
    expect([fields.statusCode, fields.json()]).toEqual([413, { detail: 'Request Entity Too Large' }]);
  });

  it('names a hundred things that are wrong with it at most', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`more${index}`, 1]));
    const reply = await post('/api/v1/tried/take', JSON.stringify(unknown), JSON_BODY);
    expect([reply.statusCode, reply.json().detail.length]).toEqual([422, 100]);
  });

  it('is answered with a long list as with a short one, and the event loop runs while that is encoded', async () => {
    let ticks = 0;
    const count = () => {
      ticks += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const reply = await app.http.inject('/api/v1/tried/list?count=10000');
    clearImmediate(counting);
    const rows = Array.from({ length: 10_000 }, (_, place) => ({ place, price: 0.5 }));
    expect(reply.json()).toEqual({ first: 'é', data: rows, none: [], count: 10_000 });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(reply.rawPayload.length),
    });
    expect(ticks).toBeGreaterThan(400);
  });
});
