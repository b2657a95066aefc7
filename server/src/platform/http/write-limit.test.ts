import { expect, it } from 'vitest';
import { openTestApp } from './app.fixture.ts';

const WRITES_PER_MINUTE = 600;

it('one user who changes things without end has to wait, no other user does, and stopping is never refused', async () => {
  await using site = await openTestApp({ variables: { RATE_LIMIT: 'on' } });
  const [one, other] = [await site.signedIn({ isSuperuser: true }), await site.signedIn()];
  const ask = (headers: { authorization: string }, method: 'POST' | 'GET', path: string, payload?: object) =>
    site.http.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  const change = ({ headers }: typeof one) => ask(headers, 'POST', '/items/', { title: 'One of many' });
  const untitled = () => ask(one.headers, 'POST', '/items/', {});
  const answers = await Promise.all(Array.from({ length: WRITES_PER_MINUTE }, untitled));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([422]));
  const refused = await change(one);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json()).toEqual({ detail: 'Too many attempts. Try again later.' });
  expect((await change(other)).statusCode).toBe(200);
  expect((await ask(one.headers, 'GET', '/items/')).statusCode).toBe(200);
  expect((await ask(one.headers, 'POST', '/system/disarm')).statusCode).toBe(200);
  await site.test.time.leap(61_000);
  expect((await change(one)).statusCode).toBe(200);
});
