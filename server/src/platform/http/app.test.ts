import { readFileSync } from 'node:fs';
import { endpoint } from '@dutchbook/contract/endpoint.ts';
import { instant, price } from '@dutchbook/contract/quantities.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { DrizzleQueryError } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { DatabaseDown } from '../database/database-down.ts';
import type { DatabaseWatch } from '../runtime/runtime.ts';
import { openTestApp, type TestApp } from './app.fixture.ts';
import { Conflict } from './errors.ts';
import { route } from './route.ts';

const tried = { access: 'public', tag: 'Tried', summary: 'Tried' } as const;
const echo = endpoint({
  ...tried,
  method: 'POST',
  path: '/tried/echo/{name}',
  body: z.strictObject({ price, at: z.optional(instant), note: z.optional(z.string().check(z.maxLength(5))) }),
  query: z.object({ sort_by: z._default(z.enum(['price', 'name']), 'price') }),
  params: z.object({ name: z.string() }),
  reply: z.object({ name: z.string(), price, at: instant, sort_by: z.string() }),
});
const fail = endpoint({ ...tried, method: 'GET', path: '/tried/fail', reply: z.string() });
const store = endpoint({
  ...tried,
  method: 'GET',
  path: '/tried/store/{code}',
  params: z.object({ code: z.string() }),
  reply: z.string(),
});
const clash = endpoint({ ...tried, method: 'GET', path: '/tried/clash', reply: z.string() });

let app: TestApp;

let silentMs: number | null = null;
const waiting: (() => void)[] = [];
const databaseWatch: DatabaseWatch = {
  silentMs: () => silentMs,
  whileItAnswers: (answer) =>
    Promise.race([
      answer,
      new Promise<never>((_, reject) => {
        waiting.push(() => reject(new DatabaseDown('silent')));
      }),
    ]),
};

function registerHung(): void {
  const watched = { ...app.app, databaseWatch };
  const never = () => new Promise<never>(() => {});
  route(watched, endpoint({ ...tried, method: 'GET', path: '/tried/hung', reply: z.string() }), never);
  route(watched, endpoint({ ...tried, method: 'POST', path: '/tried/hung-change', reply: z.string() }), never);
  const known = { ...tried, method: 'GET', path: '/tried/known', withoutDatabase: true, reply: z.string() } as const;
  route(watched, endpoint(known), () => 'known');
}

beforeAll(async () => {
  app = await openTestApp({ variables: { PUBLIC_URL: 'https://desk.example' } });
  route(app.app, echo, ({ params, query, body }) => ({
    name: params.name,
    price: priceFromNumber(body.price / 1_000_000),
    at: body.at ?? instantFromIso('2026-01-01T00:00:00Z'),
    sort_by: query.sort_by,
  }));
  route(app.app, fail, () => {
    throw new Error('the password is in here');
  });
  route(app.app, store, ({ params: { code } }) => {
    throw new DrizzleQueryError('select 1', [], Object.assign(new Error('no room'), { code }));
  });
  route(app.app, clash, () => {
    throw new Conflict('Not now');
  });
  registerHung();
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (url: string, headers = {}) => app.http.inject({ url, headers });
const post = (url: string, payload: string, headers = {}) =>
  app.http.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });

describe('a call', () => {
  it('decodes what was sent and encodes the answer', async () => {
    const sent = { price: 0.123456, at: '2026-02-03T04:05:06.789Z' };
    const reply = await post('/api/v1/tried/echo/a%2Fb?sort_by=name', JSON.stringify(sent));
    expect(reply.json()).toEqual({ name: 'a/b', ...sent, sort_by: 'name' });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('answers with and without a slash at the end', async () => {
    for (const url of ['/api/v1/utils/health-check/', '/api/v1/utils/health-check'])
      expect((await get(url)).json()).toBe(true);
  });

  it('is answered with everything that is wrong with it at once, part by part', async () => {
    const reply = await post('/api/v1/tried/echo/x?sort_by=secret', '{"price": 2, "note": "too long", "more": 1}');
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      { loc: ['query', 'sort_by'], msg: "Input should be 'price' or 'name'", type: 'enum', input: 'secret' },
      { loc: ['body', 'price'], msg: 'Input should be less than or equal to 1', type: 'less_than_equal', input: 2 },
      {
        loc: ['body', 'note'],
        msg: 'String should have at most 5 characters',
        type: 'string_too_long',
        input: 'too long',
      },
      { loc: ['body', 'more'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
    ]);
  });

  it('is answered with what is missing, and what is no JSON', async () => {
    const missing = await post('/api/v1/tried/echo/x', '{}');
    expect(missing.json().detail).toEqual([
      { loc: ['body', 'price'], msg: 'Field required', type: 'missing', input: null },
    ]);
    const broken = await post('/api/v1/tried/echo/x', '{');
    expect([broken.statusCode, broken.json().detail[0].type]).toEqual([422, 'json_invalid']);
    const poisoned = await post('/api/v1/tried/echo/x', '{"price": 0.5, "__proto__": {"x": 1}}');
    expect(poisoned.statusCode).toBe(422);
    const deep = await post('/api/v1/tried/echo/x', `${'['.repeat(9)}${']'.repeat(9)}`);
    expect(deep.json().detail).toEqual([{ loc: ['body'], msg: 'Nested more than 8 levels deep', type: 'value_error' }]);
  });

  it('keeps to the limits of a page', async () => {
    const { headers } = await app.signedIn();
    const reply = await get('/api/v1/markets?limit=1001&skip=-1', headers);
    expect(reply.json().detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])).toEqual([
      [['query', 'skip'], 'greater_than_equal'],
      [['query', 'limit'], 'less_than_equal'],
    ]);
  });

  it('is refused before anything is read of a body that is too large, or of another kind', async () => {
    const large = await post('/api/v1/tried/echo/x', JSON.stringify({ note: 'x'.repeat(1_100_000) }));
    expect([large.statusCode, large.json()]).toEqual([413, { detail: 'Request Entity Too Large' }]);
    const kind = await post('/api/v1/tried/echo/x', '<a/>', { 'content-type': 'application/xml' });
    expect([kind.statusCode, kind.json()]).toEqual([415, { detail: 'Unsupported Media Type' }]);
  });

  it('that no route serves is not found', async () => {
    for (const url of ['/api/v1/nothing', '/api/nothing', '/api'])
      expect([(await get(url)).statusCode, (await get(url)).json()]).toEqual([404, { detail: 'Not Found' }]);
  });

  it('that fails says so and nothing more', async () => {
    const failed = await get('/api/v1/tried/fail');
    expect([failed.statusCode, failed.json()]).toEqual([500, { detail: 'Internal Server Error' }]);
    const clashed = await get('/api/v1/tried/clash');
    expect([clashed.statusCode, clashed.json()]).toEqual([409, { detail: 'Not now' }]);
  });

  it('that needs a database which cannot work just now says so, and not where the statement was wrong', async () => {
    const silent = 'The database does not answer. Once it does, see what was done before asking again.';
    for (const code of ['57P01', '53100', '08006', 'ECONNREFUSED']) {
      const reply = await get(`/api/v1/tried/store/${code}`);
      expect([reply.statusCode, reply.json()], code).toEqual([503, { detail: silent, database_away: true }]);
    }
    expect((await get('/api/v1/tried/store/23505')).statusCode).toBe(500);
  });

  it('that needs a venue which does not answer says so', async () => {
    const { headers } = await app.signedIn();
    const reply = await get('/api/v1/markets', headers);
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      { detail: 'The venue does not answer. Try again in a moment.' },
    ]);
  });
});

describe('a call while the database is silent', () => {
  const silent = 'The database does not answer. Once it does, see what was done before asking again.';

  it('ends, and says of a change that it may be done', async () => {
    for (const [call, status] of [
      [() => get('/api/v1/tried/hung'), 503],
      [() => post('/api/v1/tried/hung-change', '{}'), 500],
    ] as const) {
      const answering = call();
      await expect.poll(() => waiting).toHaveLength(1);
      waiting.pop()?.();
      const reply = await answering;
      expect([reply.statusCode, reply.json()]).toEqual([status, { detail: silent, database_away: true }]);
    }
  });

  it('is refused at once, but for what the process knows by itself', async () => {
    silentMs = 4000;
    for (const reply of [await get('/api/v1/tried/hung'), await post('/api/v1/tried/hung-change', '{}')])
      expect([reply.statusCode, reply.json()]).toEqual([503, { detail: silent, database_away: true }]);
    expect((await get('/api/v1/tried/known')).body).toBe('known');
    silentMs = null;
  });
});

describe('who may call', () => {
  it('is a superuser where the contract says so', async () => {
    const ordinary = await app.signedIn();
    const refused = await get('/api/v1/system-settings/', ordinary.headers);
    expect([refused.statusCode, refused.json()]).toEqual([403, { detail: "The user doesn't have enough privileges" }]);
    const superuser = await app.signedIn({ isSuperuser: true });
    const settings = await get('/api/v1/system-settings/', superuser.headers);
    expect(settings.json()).toMatchObject({ MIN_PROFIT_TRIGGER_THRESHOLD: 0.8, BATCH_MIN_SUCCESS_RATE: 1 });
  });

  it.each(['/api/v1/users/me', '/api/v1/markets', '/api/v1/system-settings/', '/api/v1/system/status'])(
    'is refused without a token: %s',
    async (url) => {
      const reply = await get(url);
      expect([reply.statusCode, reply.json()]).toEqual([401, { detail: 'Not authenticated' }]);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    },
  );

  it('is refused from a page of another site', async () => {
    const body = '{"price": 0.5}';
    const foreign = { origin: 'https://evil.example', host: 'desk.example' };
    expect((await post('/api/v1/tried/echo/x', body, foreign)).statusCode).toBe(403);
    expect((await post('/api/v1/tried/echo/x', body, { origin: 'null', host: 'desk.example' })).statusCode).toBe(403);
    for (const own of [
      { origin: 'https://desk.example', host: 'desk.example' },
      { origin: 'http://localhost:8000', host: 'localhost:8000' },
      { origin: 'http://127.0.0.1:8000', host: '127.0.0.1:8000' },
    ]) {
      const reply = await post('/api/v1/tried/echo/x', body, own);
      expect(reply.statusCode).toBe(200);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('is refused from a page under a foreign name that points at this machine', async () => {
    for (const [origin, host] of [
      ['http://evil.example:8000', 'evil.example:8000'],
      ['http://desk.example.evil.example', 'desk.example.evil.example'],
      ['http://localhost:3000', 'localhost:8000'],
      ['http://localhost:8000', 'evil.example:8000'],
    ]) {
      const reply = await post('/api/v1/tried/echo/x', '{"price": 0.5}', { origin, host });
      expect([reply.statusCode, reply.json()]).toEqual([403, { detail: 'Requests from other sites are refused' }]);
    }
  });
});

describe('the documentation', () => {
  it('describes quantities as they travel', async () => {
    const document = (await get('/api/v1/openapi.json')).json();
    const call = document.paths['/api/v1/tried/echo/{name}'].post;
    const sent = call.requestBody.content['application/json'].schema.properties;
    const answered = call.responses['200'].content['application/json'].schema.properties;
    expect(sent.price).toMatchObject({ type: 'number', minimum: 0, maximum: 1 });
    expect(answered).toMatchObject({ price: { type: 'number' }, at: { type: 'string' } });
    const markets = document.paths['/api/v1/markets'].get;
    const limit = markets.parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
    expect(markets.security).toEqual([{ bearer: [] }]);
  });

  it('is the same document as YAML, of which JSON is a part', async () => {
    const reply = await get('/docs/yaml');
    expect(reply.headers['content-type']).toContain('yaml');
    expect(reply.json()).toEqual((await get('/api/v1/openapi.json')).json());
  });

  it('is shown under /docs, with every file it needs from here', async () => {
    const page = await get('/docs');
    expect(page.statusCode).toBe(200);
    const files = [...page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect((await get(file)).statusCode).toBe(200);
  });
});

describe('the state of the process', () => {
  it('is answered in parts', async () => {
    const reply = await get('/health');
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      {
        status: 'ok',
        parts: {
          ...{ database: 'ok', venue: 'polymarket_read_only', armed: false, feed: 'live', disk: 'ok', log: 'ok' },
          unknown_orders: 0,
        },
      },
    ]);
  });

  it('says that the disk is full and that the log is not written, and how many lines are lost', async () => {
    const { storage } = app.test.runtime;
    const full = { isDiskFull: () => true, log: () => ({ dropped: 3, failure: 'no space left on device' }) };
    const wasBefore = { ...storage };
    Object.assign(storage, full);
    const health = await get('/health');
    const { headers } = await app.signedIn();
    const status = await get('/api/v1/system/status', headers);
    const metrics = await get('/metrics');
    Object.assign(storage, wasBefore);
    expect([health.statusCode, health.json()]).toMatchObject([
      200,
      { status: 'degraded', parts: { disk: 'full', log: 'not written: no space left on device' } },
    ]);
    expect(status.json()).toMatchObject({
      disk_full: true,
      log_failure: { reason: 'no space left on device', dropped: 3 },
    });
    for (const line of ['dutchbook_disk_full 1', 'dutchbook_log_lines_dropped_total 3'])
      expect(metrics.body).toContain(`\n${line}\n`);
  });

  it('is published to the top bar', async () => {
    const { headers } = await app.signedIn();
    const reply = await get('/api/v1/system/status', headers);
    expect(reply.json()).toEqual({
      venue: 'polymarket_read_only',
      armed: false,
      armed_changed: null,
      arming_refusal: 'The venue is read only: it has no private key',
      feed: 'live',
      unknown_orders: 0,
      automatic: 'brought',
      trigger: { profit_percentage: 0.8, judged_by: 'depth', depth_usd: 10 },
      sale_loss_warning: 5,
    });
  });

  it('is measured by route, never by address', async () => {
    await post('/api/v1/tried/echo/ada@example.com', '{}');
    const { body } = await get('/metrics');
    expect(body).toContain('route="/api/v1/tried/echo/:name"');
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    expect(body).not.toContain('ada@example.com');
  });

  it.each(['grafana.json', 'alerts.yaml'])('exports every metric that deploy/%s asks for', async (file) => {
    const { body } = await get('/metrics');
    const exported = [...body.matchAll(/^\w+/gm)].map(([name]) => name);
    const text = readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');
    const asked = [...text.matchAll(/\b(dutchbook|http|nodejs|process)_\w+/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('is measured as alarms ask for it', async () => {
    const { body } = await get('/metrics');
    for (const line of [
      'dutchbook_trading_armed 0',
      'dutchbook_database_answers 1',
      'dutchbook_feed{state="live"} 1',
      'dutchbook_feed{state="down"} 0',
      'dutchbook_orders_unknown 0',
      'dutchbook_unhedged_dollars 0',
      'dutchbook_notifications_failed 0',
    ])
      expect(body.split('\n')).toContain(line);
  });
});
