import { createHash } from 'node:crypto';
import type { Method } from '@dutchbook/contract/endpoint.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { users } from '../users/table.ts';
import { noteUse } from './store.ts';
import { apiTokens } from './table.ts';

const MINE = '/users/me/api-tokens';

type Scope = 'read' | 'trade' | 'admin';
type Headers = Record<string, string>;

async function makeToken(app: TestApp, headers: Headers, scope: Scope, days = 30) {
  const [status, body] = await ask(app, headers, 'POST', MINE, { name: 'Nightly', scope, expires_in_days: days });
  expect([status, body]).toMatchObject([200, { name: 'Nightly', scope, last_used_at: null }]);
  const token = String(body.token);
  return { id: String(body.id), token, headers: { authorization: `Bearer ${token}` } };
}

async function openDesk(fields: Partial<UserRow> = {}, scope: Scope = 'trade') {
  const app = await openTestApp();
  const { user, headers } = await app.signedIn(fields);
  const made = await makeToken(app, headers, scope);
  const call = async (method: Method, path: string, payload?: Record<string, unknown>) =>
    (await ask(app, made.headers, method, path, payload))[0];
  const change = (changed: Partial<UserRow>) =>
    app.test.runtime.db.update(users).set(changed).where(eq(users.id, user.id));
  return { app, user, session: headers, made, call, change, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** All that there are, as if they had been made so long ago. */
const expireAt = ({ test }: TestApp, ms: number) =>
  test.runtime.db.update(apiTokens).set({ expiresAt: instantFromMs(ms) });

const REFUSED = [403, { detail: 'Could not validate credentials' }];

describe('an API token', () => {
  it('is shown once, calls as its owner, and is kept as nothing but its hash', async () => {
    await using desk = await openDesk();
    const { app, made } = desk;
    expect(made.token).toMatch(/^dbk_[\w-]{43}$/);
    expect(await ask(app, made.headers, 'GET', '/users/me')).toMatchObject([200, { email: desk.user.email }]);
    const [, list] = await ask(app, desk.session, 'GET', MINE);
    expect(list).toMatchObject({
      data: [{ id: made.id, prefix: made.token.slice(0, 10), expires_at: '2026-01-31T00:00:00.000Z' }],
    });
    expect(JSON.stringify(list)).not.toContain(made.token);
    const rows = await app.test.runtime.db.select().from(apiTokens);
    expect(rows).toMatchObject([{ tokenHash: createHash('sha256').update(made.token).digest('hex') }]);
    expect(JSON.stringify(rows)).not.toContain(made.token);
  });

  it('that has leaked is refused from the moment that it is revoked, and others go on', async () => {
    await using desk = await openDesk();
    const other = await makeToken(desk.app, desk.session, 'read');
    expect(await desk.call('GET', '/users/me')).toBe(200);
    expect(await ask(desk.app, desk.session, 'DELETE', `${MINE}/${desk.made.id}`)).toMatchObject([200, {}]);
    expect(await ask(desk.app, desk.made.headers, 'GET', '/users/me')).toEqual(REFUSED);
    expect(await ask(desk.app, desk.session, 'DELETE', `${MINE}/${desk.made.id}`)).toMatchObject([404, {}]);
    expect((await ask(desk.app, other.headers, 'GET', '/users/me'))[0]).toBe(200);
  });

  it('ends when it expires', async () => {
    await using desk = await openDesk();
    await expireAt(desk.app, desk.app.test.runtime.clock.now() + 1);
    expect(await desk.call('GET', '/users/me')).toBe(200);
    await desk.app.test.time.advance(1);
    expect(await ask(desk.app, desk.made.headers, 'GET', '/users/me')).toEqual(REFUSED);
    expect(await ask(desk.app, desk.session, 'GET', MINE)).toEqual([200, { data: [] }]);
  });

  it.each<[Scope, number[]]>([
    ['read', [200, 403, 403, 403]],
    ['trade', [200, 200, 403, 403]],
    ['admin', [200, 200, 200, 200]],
  ])('of the scope %s of a superuser is let in to no more than that', async (scope, statuses) => {
    await using desk = await openDesk({ isSuperuser: true }, scope);
    const title = { title: 'A thing' };
    expect([
      await desk.call('GET', '/items/'),
      await desk.call('POST', '/items/', title),
      await desk.call('GET', '/audit-log/'),
      await desk.call('PUT', '/system-settings/', { MIN_ORDER_VALUE_USD: 2 }),
    ]).toEqual(statuses);
  });

  it('sees of the items of others what an operator sees, unless its scope is admin', async () => {
    await using desk = await openDesk({ isSuperuser: true }, 'read');
    const someone = await desk.app.signedIn();
    await ask(desk.app, someone.headers, 'POST', '/items/', { title: 'Theirs' });
    const countFor = async (headers: Headers) => (await ask(desk.app, headers, 'GET', '/items/'))[1].count;
    const admin = await makeToken(desk.app, desk.session, 'admin');
    expect([await countFor(desk.made.headers), await countFor(admin.headers)]).toEqual([0, 1]);
  });

  it('may no more than its owner may now', async () => {
    await using desk = await openDesk({ isSuperuser: true }, 'admin');
    await desk.change({ isSuperuser: false });
    expect([await desk.call('GET', '/audit-log/'), await desk.call('GET', '/items/')]).toEqual([403, 200]);
    await desk.change({ isActive: false });
    expect(await ask(desk.app, desk.made.headers, 'GET', '/items/')).toEqual([400, { detail: 'Inactive user' }]);
  });

  it('only reads once its owner is a viewer, who makes none that does more', async () => {
    await using desk = await openDesk();
    await desk.change({ isViewer: true });
    expect(await desk.call('GET', '/items/')).toBe(200);
    expect(await ask(desk.app, desk.made.headers, 'POST', '/items/', { title: 'A thing' })).toEqual([
      409,
      { detail: 'Viewers can look, but not change anything.' },
    ]);
    const more = { name: 'More', scope: 'trade', expires_in_days: 1 };
    expect(await ask(desk.app, desk.session, 'POST', MINE, more)).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'scope'], msg: 'Viewers have tokens of the scope read only' }] },
    ]);
    const reading = await makeToken(desk.app, desk.session, 'read');
    expect((await ask(desk.app, reading.headers, 'GET', '/items/'))[0]).toBe(200);
  });

  it('of the scope admin is made by a superuser alone', async () => {
    await using desk = await openDesk();
    const body = { name: 'Mine', scope: 'admin', expires_in_days: 1 };
    expect(await ask(desk.app, desk.session, 'POST', MINE, body)).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'scope'] }] },
    ]);
  });

  it('ends with a new password of its owner, as sessions do, and for good', async () => {
    await using desk = await openDesk();
    const passwords = { current_password: 'correct horse battery', new_password: 'another long password' };
    expect((await ask(desk.app, desk.session, 'PATCH', '/users/me/password', passwords))[0]).toBe(200);
    expect(await ask(desk.app, desk.made.headers, 'GET', '/users/me')).toEqual(REFUSED);
    expect(await ask(desk.app, desk.session, 'GET', MINE)).toEqual([200, { data: [] }]);
  });

  it('makes no way in that would outlast it: nothing of accounts, sessions and tokens', async () => {
    await using desk = await openDesk({ isSuperuser: true }, 'admin');
    const { id, email } = await desk.app.addUser();
    const calls: [Method, string, Record<string, unknown>?][] = [
      ['GET', MINE],
      ['POST', MINE, { name: 'Next', scope: 'admin', expires_in_days: 365 }],
      ['DELETE', `${MINE}/${desk.made.id}`],
      ['GET', '/api-tokens/'],
      ['GET', '/users/me/sessions'],
      ['POST', '/users/me/sessions/end-others'],
      ['POST', '/login/log-out'],
      ['POST', '/users/me/second-factor/prove', { code: '123456' }],
      ['PATCH', '/users/me', { email: 'thief@example.com' }],
      ['PATCH', '/users/me/password', { current_password: 'x', new_password: 'y' }],
      ['POST', '/users/', { email: 'thief@example.com', password: 'a long password', is_superuser: true }],
      ['PATCH', `/users/${id}`, { password: 'a long password' }],
      ['POST', `/password-recovery-html-content/${email}`],
    ];
    for (const [method, path, body] of calls)
      expect([path, await ask(desk.app, desk.made.headers, method, path, body)]).toEqual([
        path,
        [403, { detail: 'No API token may do this: log in' }],
      ]);
    expect([await desk.call('GET', '/users/'), await desk.call('GET', `/users/${id}`)]).toEqual([200, 200]);
  });

  it('is seen and revoked by its owner and superusers alone', async () => {
    await using desk = await openDesk();
    const { app, made } = desk;
    const stranger = await app.signedIn();
    const chief = await app.signedIn({ isSuperuser: true });
    expect(await ask(app, stranger.headers, 'GET', MINE)).toEqual([200, { data: [] }]);
    expect((await ask(app, stranger.headers, 'DELETE', `${MINE}/${made.id}`))[0]).toBe(404);
    expect((await ask(app, stranger.headers, 'DELETE', `/api-tokens/${made.id}`))[0]).toBe(403);
    expect(await desk.call('GET', '/users/me')).toBe(200);
    expect(await ask(app, chief.headers, 'GET', '/api-tokens/')).toMatchObject([
      200,
      { count: 1, data: [{ id: made.id, owner: desk.user.email }] },
    ]);
    expect((await ask(app, chief.headers, 'DELETE', `/api-tokens/${made.id}`))[0]).toBe(200);
    expect(await ask(app, made.headers, 'GET', '/users/me')).toEqual(REFUSED);
  });

  it('leaves in the audit log who made and revoked it, each new address, and what was done with it', async () => {
    await using desk = await openDesk();
    const { app, made, user } = desk;
    const from = (remoteAddress: string) =>
      app.http.inject({ url: '/api/v1/users/me', headers: made.headers, remoteAddress });
    const actions = async () => (await recorded(app, 'Nightly')).map(({ action, address }) => `${action} ${address}`);
    await from('10.0.0.1');
    await vi.waitFor(async () => expect(await actions()).toContain('token.used 10.0.0.1'));
    await app.test.time.leap(60_000);
    await from('10.0.0.1');
    await from('10.0.0.2');
    await vi.waitFor(async () => expect(await actions()).toContain('token.used 10.0.0.2'));
    const [, item] = await ask(app, made.headers, 'POST', '/items/', { title: 'A thing' });
    expect(await recorded(app, String(item.id))).toMatchObject([{ actor: `${user.email} by API token Nightly` }]);
    await ask(app, desk.session, 'DELETE', `${MINE}/${made.id}`);
    const known = ['token.used 127.0.0.1'];
    expect((await actions()).filter((action) => !known.includes(action))).toEqual([
      'token.created 127.0.0.1',
      'token.used 10.0.0.1',
      'token.used 10.0.0.2',
      'token.revoked 127.0.0.1',
    ]);
  });

  it('knows a network that it is used from every day, however many others come and go', async () => {
    await using desk = await openDesk();
    const { runtime } = desk.app.test;
    const use = (network: string) =>
      noteUse(runtime.db, { id: desk.made.id, now: runtime.clock.now(), address: network, network });
    expect(await use('192.0.2.1')).toBe(true);
    for (let day = 0; day < 60; day += 1) {
      expect(await use(`198.51.100.${day}`)).toBe(true);
      expect(await use('192.0.2.1')).toBe(false);
    }
    expect(await use('198.51.100.0')).toBe(true);
  });

  it('says when and from where it was used last', async () => {
    await using desk = await openDesk();
    await desk.app.http.inject({ url: '/api/v1/users/me', headers: desk.made.headers, remoteAddress: '10.0.0.9' });
    await vi.waitFor(async () =>
      expect((await ask(desk.app, desk.session, 'GET', MINE))[1]).toMatchObject({
        data: [{ last_used_at: '2026-01-01T00:00:00.000Z', last_used_address: '10.0.0.9' }],
      }),
    );
  });

  it('is one of twenty at most', async () => {
    await using desk = await openDesk();
    for (let more = 1; more < 20; more += 1) await makeToken(desk.app, desk.session, 'read', 1);
    const body = { name: 'One more', scope: 'read', expires_in_days: 1 };
    expect(await ask(desk.app, desk.session, 'POST', MINE, body)).toEqual([
      409,
      { detail: 'You have 20 API tokens already: revoke one first' },
    ]);
    // Those that have expired make room.
    await expireAt(desk.app, desk.app.test.runtime.clock.now());
    expect((await ask(desk.app, desk.session, 'POST', MINE, body))[0]).toBe(200);
  });

  it('that asks for too much has to wait, and its owner goes on', async () => {
    await using desk = await openDesk();
    let status = 200;
    for (let changes = 0; changes <= 600 && status !== 429; changes += 1)
      status = await desk.call('PUT', '/items/nothing', {});
    expect(status).toBe(429);
    expect((await ask(desk.app, desk.session, 'POST', '/items/', { title: 'Mine' }))[0]).toBe(200);
  });

  it.each(['dbk_', 'dbk_made-up', `dbk_${'A'.repeat(43)}`])('%s that was never issued opens nothing', async (token) => {
    await using desk = await openDesk();
    const headers = { authorization: `Bearer ${token}` };
    expect(await ask(desk.app, headers, 'GET', '/users/me')).toEqual(REFUSED);
  });

  it('opens no stream', async () => {
    await using desk = await openDesk();
    expect(await desk.app.sessions.authenticate(desk.made.token)).toEqual({ kind: 'invalid' });
  });
});
