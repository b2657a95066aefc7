import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { readUser } from './store.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const password = 'a long enough password';
const notFound = [404, { detail: 'User not found' }];
const gone = [403, { detail: 'Could not validate credentials' }];

describe('superusers keep users', () => {
  let app: TestApp;
  let headers: Record<string, string>;
  let root: string;
  beforeAll(async () => {
    app = await openTestApp();
    const superuser = await app.signedIn({ isSuperuser: true, email: 'root@example.com' });
    headers = superuser.headers;
    root = superuser.user.id;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('lists them newest first, page by page', async () => {
    for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
      await app.test.time.advance(1000);
      await app.addUser({ email });
    }
    const emails = async (query: string) => {
      const [, list] = await ask(app, headers, 'GET', `/users/?${query}`);
      return [(list.data as { email: string }[]).map(({ email }) => email), list.count];
    };
    expect(await emails('limit=2')).toEqual([['three@example.com', 'two@example.com'], 4]);
    expect(await emails('skip=2&limit=2')).toEqual([['one@example.com', 'root@example.com'], 4]);
  });

  it('creates one, ordinary and inactive unless it is said otherwise', async () => {
    const [status, user] = await ask(app, headers, 'POST', '/users/', { email: 'hal@example.com', password });
    const served = { id: expect.any(String), email: 'hal@example.com', full_name: null };
    expect([status, user]).toEqual([200, { ...served, is_superuser: false, is_active: false, role: 'operator' }]);
    expect(await ask(app, headers, 'GET', `/users/${user.id}`)).toEqual([200, user]);
    expect(await recorded(app, 'hal@example.com')).toEqual([
      { action: 'user.created', actor: 'root@example.com', address: '127.0.0.1', before: null, after: user },
    ]);
    const form = { email: 'ida@example.com', password, full_name: 'Ida', is_superuser: true, is_active: true };
    const [, superuser] = await ask(app, headers, 'POST', '/users/', form);
    expect(superuser).toMatchObject({ full_name: 'Ida', is_superuser: true, is_active: true });
  });

  it('finds an email taken, at creation and at change, also when several come at once', async () => {
    const create = (email: string) => ask(app, headers, 'POST', '/users/', { email, password });
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('joy@example.com')));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)).toEqual(
      Array(7).fill([400, { detail: 'The user with this email already exists in the system.' }]),
    );
    const { id } = await app.addUser();
    expect(await ask(app, headers, 'PATCH', `/users/${id}`, { email: 'JOY@example.com' })).toEqual([
      409,
      { detail: 'User with this email already exists' },
    ]);
  });

  it('changes only the given fields, and records what was before and after', async () => {
    const { id } = await app.addUser({ email: 'kim@example.com', fullName: 'Kim' });
    const names = { id, email: 'kim@example.com', full_name: 'Kim' };
    const before = { ...names, is_superuser: false, is_active: true, role: 'operator' };
    const changes = { email: 'Kim@example.com', is_superuser: true, created_at: 'x', session_epoch: 9 };
    const after = { ...before, email: 'Kim@example.com', is_superuser: true, role: 'superuser' };
    expect(await ask(app, headers, 'PATCH', `/users/${id}`, changes)).toEqual([200, after]);
    expect((await recorded(app, 'kim@example.com'))[0]).toMatchObject({ action: 'user.changed', before, after });
    expect((await readUser(app.test.runtime.db, id))?.sessionEpoch).toBe(0);
  });

  it('ends every session with a new password and with a deactivation, for good', async () => {
    const { user, headers: theirs } = await app.signedIn();
    const kept = await app.signedIn();
    const changed = { current_password: TEST_PASSWORD, new_password: password };
    await ask(app, kept.headers, 'PATCH', '/users/me/password', changed);
    const path = `/users/${user.id}`;
    const reset = 'what a superuser chose';
    expect((await ask(app, headers, 'PATCH', path, { password: reset }))[0]).toBe(200);
    expect(await ask(app, theirs, 'GET', '/users/me')).toEqual(gone);
    expect((await recorded(app, user.email)).map(({ action }) => action)).toEqual(['password.changed']);
    expect(JSON.stringify(await recorded(app, user.email))).not.toContain(reset);

    const keptPath = `/users/${kept.user.id}`;
    expect((await ask(app, kept.headers, 'GET', '/users/me'))[0]).toBe(200);
    await ask(app, headers, 'PATCH', keptPath, { is_active: false });
    expect(await ask(app, kept.headers, 'GET', '/users/me')).toEqual([400, { detail: 'Inactive user' }]);
    await ask(app, headers, 'PATCH', keptPath, { is_active: true });
    expect(await ask(app, kept.headers, 'GET', '/users/me')).toEqual(gone);
  });

  it('may set its own password too, and only the session that did goes on', async () => {
    const { user, headers: here } = await app.signedIn({ isSuperuser: true });
    const elsewhere = { authorization: `Bearer ${await app.sessions.issue(user)}` };
    expect((await ask(app, here, 'PATCH', `/users/${user.id}`, { password }))[0]).toBe(200);
    expect((await ask(app, here, 'GET', '/users/me'))[0]).toBe(200);
    expect(await ask(app, elsewhere, 'GET', '/users/me')).toEqual(gone);
  });

  it('deletes one, and not itself', async () => {
    const { user, headers: theirs } = await app.signedIn();
    expect(await ask(app, headers, 'DELETE', `/users/${user.id}`)).toEqual([
      200,
      { message: 'User deleted successfully' },
    ]);
    expect(await ask(app, theirs, 'GET', '/users/me')).toEqual(gone);
    expect((await recorded(app, user.email))[0]).toMatchObject({ action: 'user.deleted', actor: 'root@example.com' });
    expect(await ask(app, headers, 'DELETE', `/users/${root}`)).toEqual([
      403,
      { detail: 'Super users are not allowed to delete themselves' },
    ]);
  });

  it('says when there is no such user', async () => {
    expect(await ask(app, headers, 'GET', `/users/${NOBODY}`)).toEqual(notFound);
    expect(await ask(app, headers, 'PATCH', `/users/${NOBODY}`, { full_name: 'X' })).toEqual(notFound);
    expect(await ask(app, headers, 'DELETE', `/users/${NOBODY}`)).toEqual(notFound);
    expect((await ask(app, headers, 'GET', '/users/nobody'))[0]).toBe(422);
  });
});
