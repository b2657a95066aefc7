import { expect, it, vi } from 'vitest';
import { openTestApp } from './app.fixture.ts';
import { missingProxies } from './caller-address.ts';

const HEALTH = '/api/v1/utils/health-check/';
const FORWARDED = { 'x-forwarded-for': '192.0.2.1' };

it.each([
  ['once where none is trusted', {}, 1],
  ['not at all where one is', { TRUSTED_PROXIES: '127.0.0.1' }, 0],
])('a request that a proxy has passed on is warned of, %s', async (_, variables, times) => {
  await using app = await openTestApp({ variables });
  const warn = vi.spyOn(app.http.log, 'warn');
  await app.http.inject({ url: HEALTH });
  expect(warn).not.toHaveBeenCalled();
  for (let n = 0; n < 3; n += 1) await app.http.inject({ url: HEALTH, headers: FORWARDED });
  expect(warn).toHaveBeenCalledTimes(times);
});

it.each([
  [null, [], false],
  ['http://127.0.0.1:8000', [], false],
  ['https://desk.example', [], true],
  ['http://desk.example:8000', [], true],
  ['https://desk.example', ['10.0.0.1'], false],
])('opened at %s behind %s, the start warns: %s', (publicUrl, trustedProxies, warns) => {
  expect(missingProxies({ publicUrl, trustedProxies }, 'http://127.0.0.1:8000') !== null).toBe(warns);
});
