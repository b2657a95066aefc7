import { endpoint } from '@dutchbook/contract/endpoint.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openTestApp, type TestApp } from './app.fixture.ts';
import { everyEndpoint } from './every-endpoint.fixture.ts';
import { route } from './route.ts';

const tried = { method: 'GET', access: 'viewer', tag: 'Tried', summary: 'Tried', reply: z.string() } as const;
const slow = endpoint({ ...tried, heavy: 'list', path: '/tried/slow' });
const forever = endpoint({ ...tried, heavy: 'list', path: '/tried/forever' });

/** Calls to one that answers when the test says so. */
function slowOn(site: TestApp) {
  const ends: (() => void)[] = [];
  route(site.app, slow, async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return 'read';
  });
  return { begun: () => ends.length, endAll: () => ends.splice(0).map((end) => end()) };
}

type Headers = { authorization: string };

const ask = (site: TestApp, headers: Headers, path: string) => site.http.inject({ url: `/api/v1${path}`, headers });

it('answers a few heavy reads of a user and of all at once, and tells who asks for more when to ask again', async () => {
  await using site = await openTestApp();
  const { begun, endAll } = slowOn(site);
  const [one, other, third] = [await site.signedIn(), await site.signedIn(), await site.signedIn()];
  const token = { authorization: `Bearer ${await site.sessions.issue(one.user)}` };
  const of = (headers: Headers) => ask(site, headers, '/tried/slow');
  const ofOne = [of(one.headers), of(one.headers), of(token)];
  await expect.poll(begun).toBe(3);
  const beyond = [of(one.headers), of(token)];
  expect((await ask(site, one.headers, '/users/me/sessions')).statusCode).toBe(200);
  await site.test.time.advance(2000);
  const refused = await Promise.all(beyond);
  expect(refused.map(({ statusCode, headers, body }) => [statusCode, headers['retry-after'], body])).toEqual([
    [429, '2', '{"detail":"You are reading too many lists and reports at once. Try again in 2 s."}'],
    [429, '2', '{"detail":"You are reading too many lists and reports at once. Try again in 2 s."}'],
  ]);
  const ofOther = Array.from({ length: 3 }, () => of(other.headers));
  await expect.poll(begun).toBe(6);
  const ofThird = of(third.headers);
  await site.test.time.advance(2000);
  expect((await ofThird).json()).toEqual({
    detail: 'Other users are reading too many lists and reports at once. Try again in 2 s.',
  });
  const waiting = of(third.headers);
  endAll();
  const answers = await Promise.all([...ofOne, ...ofOther]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  await expect.poll(begun).toBe(1);
  endAll();
  expect((await waiting).statusCode).toBe(200);
});

it('queues no more reads of a user than a screen makes', async () => {
  await using site = await openTestApp();
  const { begun, endAll } = slowOn(site);
  const { headers } = await site.signedIn();
  const asked = Array.from({ length: 34 }, () => ask(site, headers, '/tried/slow'));
  const first = await Promise.race(asked);
  expect(first.statusCode).toBe(429);
  while (begun() > 0) {
    endAll();
    await site.test.idle();
  }
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(33);
});

it('counts no read whose caller has hung up', async () => {
  await using site = await openTestApp();
  const { begun, endAll } = slowOn(site);
  const { headers } = await site.signedIn();
  const url = `${await site.http.listen({ host: '127.0.0.1', port: 0 })}/api/v1/tried/slow`;
  const gone = new AbortController();
  const left = [1, 2, 3, 4].map(() => fetch(url, { headers, signal: gone.signal }).catch(() => null));
  await expect.poll(begun).toBe(3);
  gone.abort();
  await Promise.all(left);
  let answered: number | null = null;
  const next = fetch(url, { headers }).then(({ status }) => (answered = status));
  // The server may learn that the fourth caller is gone after it has begun that read too.
  await expect.poll(begun).toBeGreaterThan(3);
  while (answered === null) {
    endAll();
    await site.test.idle();
  }
  expect(await next).toBe(200);
});

it('says so where the database has looked for long enough', async () => {
  await using site = await openTestApp();
  const { headers } = await site.signedIn();
  route(site.app, forever, async () => {
    await site.test.runtime.db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 1`);
      await tx.execute(sql`select pg_sleep(60)`);
    });
    return 'never';
  });
  const reply = await ask(site, headers, '/tried/forever');
  expect(reply.statusCode).toBe(503);
  expect(reply.json().detail).toMatch(
    /^The database has not found this within 15 s, and looks no further\. Ask for less/,
  );
});

it('marks as heavy what answers pages or files, and figures over all that is stored', async () => {
  const endpoints = (await everyEndpoint()).map((endpoint) => ({
    ...endpoint,
    name: `${endpoint.method} ${endpoint.path}`,
  }));
  const reads = endpoints.filter(({ method }) => method === 'GET');
  const pages = reads.filter(({ query }) => 'shape' in query && 'skip' in (query.shape as object));
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter(({ heavy }) => heavy !== 'list').map(({ name }) => name)).toEqual([]);
  const files = reads.filter(({ path }) => /export|csv$/.test(path));
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter(({ heavy }) => heavy !== 'file').map(({ name }) => name)).toEqual([]);
  const figures = reads.filter(({ path }) =>
    /^\/report\/(?!settings|batches\/\{)|stats$|census$|overview$|balances$/.test(path),
  );
  expect(figures.filter(({ heavy }) => heavy === undefined).map(({ name }) => name)).toEqual([]);
  expect(endpoints.filter(({ heavy, access, stops }) => heavy && (stops || access === 'public'))).toEqual([]);
});
