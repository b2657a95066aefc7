import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { lockUser, readUser, setPassword } from './store.ts';
import { passwordResets } from './table.ts';

const WAITING = sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const NEXT_PASSWORD = 'another good password';
const change = (current_password: string, new_password: string) => ({ current_password, new_password });

describe('the own account', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const another = async (user: UserRow) => ({ authorization: `Bearer ${await app.sessions.issue(user)}` });
  const mailedLink = (user: UserRow) =>
    app.test.runtime.db.insert(passwordResets).values({
      tokenHash: user.id,
      userId: user.id,
      createdAt: app.test.runtime.clock.now(),
      expiresAt: app.test.runtime.clock.now(),
    });
  const linksOf = (user: UserRow) => app.test.runtime.db.$count(passwordResets, eq(passwordResets.userId, user.id));

  it('takes another name or email, and nothing else', async () => {
    const { user, headers } = await app.signedIn({ email: 'eve@example.com', fullName: 'Eve' });
    const before = {
      ...{ id: user.id, email: 'eve@example.com', full_name: 'Eve' },
      ...{ is_superuser: false, is_active: true, role: 'operator' },
    };
    const greedy = {
      full_name: ' Eve Adams ',
      is_superuser: true,
      is_viewer: true,
      is_active: false,
      id: 'x',
      password: 'password1',
    };
    const after = { ...before, full_name: 'Eve Adams' };
    expect(await ask(app, headers, 'PATCH', '/users/me', greedy)).toEqual([200, after]);
    expect((await readUser(app.test.runtime.db, user.id))?.passwordHash).toBe(user.passwordHash);
    expect(await recorded(app, 'eve@example.com')).toEqual([
      { action: 'user.changed', actor: 'eve@example.com', address: '127.0.0.1', before, after },
    ]);
    expect(await ask(app, headers, 'PATCH', '/users/me', {})).toEqual([200, after]);
    expect(await recorded(app, 'eve@example.com')).toHaveLength(1);
    const [, nameless] = await ask(app, headers, 'PATCH', '/users/me', { full_name: '' });
    expect(nameless.full_name).toBeNull();
  });

  it('keeps its sessions when the email changes, but no link mailed to the old one', async () => {
    const { user, headers } = await app.signedIn({ email: 'fay@example.com' });
    await mailedLink(user);
    expect((await ask(app, headers, 'PATCH', '/users/me', { email: 'Fay@Example.com' }))[0]).toBe(200);
    const [status, me] = await ask(app, headers, 'GET', '/users/me');
    expect([status, me.email]).toEqual([200, 'Fay@Example.com']);
    expect(await linksOf(user)).toBe(0);
  });

  it('cannot take an email that another user has, not even at the same moment', async () => {
    await app.addUser({ email: 'gil@example.com' });
    const taken = [409, { detail: 'User with this email already exists' }];
    const { headers } = await app.signedIn();
    expect(await ask(app, headers, 'PATCH', '/users/me', { email: 'GIL@example.com' })).toEqual(taken);
    const people = await Promise.all(Array.from({ length: 5 }, () => app.signedIn()));
    const answers = await Promise.all(
      people.map((one) => ask(app, one.headers, 'PATCH', '/users/me', { email: 'wanted@example.com' })),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)).toEqual(Array(4).fill(taken));
  });

  it('is changed by no session that a new password ends while its call waits, which leaves no API token either', async () => {
    const { db } = app.test.runtime;
    const { user, headers } = await app.signedIn({ email: 'kim@example.com' });
    const stolen = await another(user);
    const token = { name: 'Mine', scope: 'read', expires_in_days: 365 };
    const [, { data: sessions }] = await ask(app, headers, 'GET', '/users/me/sessions');
    const own = (sessions as { id: string; current: boolean }[]).find(({ current }) => current)?.id ?? null;
    const calls: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      await lockUser(tx, user.id);
      calls.push(ask(app, stolen, 'PATCH', '/users/me', { email: 'thief@example.com' }));
      calls.push(ask(app, stolen, 'POST', '/users/me/api-tokens', token));
      calls.push(ask(app, stolen, 'DELETE', '/users/me'));
      calls.push(ask(app, headers, 'PATCH', '/users/me', { full_name: 'Kim' }));
      // In a transaction of its own each time: within one it stays what it was.
      await expect.poll(() => db.$count(WAITING)).toBe(calls.length);
      await setPassword(tx, user.id, user.passwordHash, own);
    });
    const refused = [403, { detail: 'Could not validate credentials' }];
    const kept = [200, expect.objectContaining({ email: 'kim@example.com', full_name: 'Kim' })];
    expect(await Promise.all(calls)).toEqual([refused, refused, refused, kept]);
    expect(await ask(app, headers, 'GET', '/users/me/api-tokens')).toEqual([200, { data: [] }]);
  });

  it('is refused an email over which the database finds it in a deadlock, as two are who swap theirs at once', async () => {
    const { headers } = await app.signedIn({ email: 'hal@example.com' });
    const { db } = app.test.runtime;
    await db.execute(sql`
      create function swapped_at_once() returns trigger language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = 'deadlock_detected'; end $$`);
    await db.execute(sql`
      create trigger swapped_at_once before update of email on users
      for each row when (old.email = 'hal@example.com') execute function swapped_at_once()`);
    expect(await ask(app, headers, 'PATCH', '/users/me', { email: 'ivy@example.com' })).toEqual([
      409,
      { detail: 'User with this email already exists' },
    ]);
    expect((await ask(app, headers, 'GET', '/users/me'))[1].email).toBe('hal@example.com');
  });

  it('changes its password: the session that did goes on, every other one ends', async () => {
    const { user, headers } = await app.signedIn();
    const elsewhere = await another(user);
    await mailedLink(user);
    const path = '/users/me/password';
    expect(await ask(app, headers, 'PATCH', path, change('wrong', NEXT_PASSWORD))).toEqual([
      400,
      { detail: 'Incorrect password' },
    ]);
    expect(await ask(app, headers, 'PATCH', path, change(TEST_PASSWORD, TEST_PASSWORD))).toEqual([
      400,
      { detail: 'New password cannot be the same as the current one' },
    ]);
    expect((await ask(app, elsewhere, 'GET', '/users/me'))[0]).toBe(200);
    expect(await ask(app, headers, 'PATCH', path, change(TEST_PASSWORD, NEXT_PASSWORD))).toEqual([
      200,
      { message: 'Password updated successfully' },
    ]);
    expect((await ask(app, headers, 'GET', '/users/me'))[0]).toBe(200);
    expect(await ask(app, elsewhere, 'GET', '/users/me')).toEqual([403, { detail: 'Could not validate credentials' }]);
    expect(await linksOf(user)).toBe(0);
    // And again, from the session that has outlived one change already.
    expect((await ask(app, headers, 'PATCH', path, change(NEXT_PASSWORD, TEST_PASSWORD)))[0]).toBe(200);
    expect((await ask(app, headers, 'GET', '/users/me'))[0]).toBe(200);
    expect((await recorded(app, user.email)).map(({ action, after }) => [action, after])).toEqual([
      ['password.changed', null],
      ['password.changed', null],
    ]);
  });

  it('changes its password once when it is asked to twice at the same moment', async () => {
    const { headers } = await app.signedIn();
    const answers = await Promise.all(
      ['the first new one', 'the second new one'].map((chosen) =>
        ask(app, headers, 'PATCH', '/users/me/password', change(TEST_PASSWORD, chosen)),
      ),
    );
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 400]);
  });

  it('does not let a stolen session guess the password', async () => {
    const { user, headers } = await app.signedIn();
    const guess = (password: string, remoteAddress: string) =>
      app.http.inject({
        method: 'PATCH',
        url: '/api/v1/users/me/password',
        headers,
        remoteAddress,
        payload: change(password, NEXT_PASSWORD),
      });
    const guesses = await Promise.all(Array.from({ length: 5 }, (_, index) => guess('wrong', `192.0.2.${index}`)));
    expect(guesses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400]);
    const refused = await guess(TEST_PASSWORD, '192.0.2.9');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '900']);
    expect((await readUser(app.test.runtime.db, user.id))?.passwordHash).toBe(user.passwordHash);
    const somebodyElse = await app.signedIn();
    const path = '/users/me/password';
    expect((await ask(app, somebodyElse.headers, 'PATCH', path, change('wrong', NEXT_PASSWORD)))[0]).toBe(400);
  });

  it('is deleted by its owner with everything in it, unless they are a superuser', async () => {
    const { user, headers } = await app.signedIn();
    await ask(app, headers, 'POST', '/items/', { title: 'Mine' });
    expect(await ask(app, headers, 'DELETE', '/users/me')).toEqual([200, { message: 'User deleted successfully' }]);
    expect(await ask(app, headers, 'GET', '/users/me')).toEqual([403, { detail: 'Could not validate credentials' }]);
    expect((await recorded(app, user.email)).map(({ action }) => action)).toEqual(['user.deleted']);
    const superuser = await app.signedIn({ isSuperuser: true });
    expect(await ask(app, superuser.headers, 'DELETE', '/users/me')).toEqual([
      403,
      { detail: 'Super users are not allowed to delete themselves' },
    ]);
    const [, list] = await ask(app, superuser.headers, 'GET', '/items/');
    expect(list).toEqual({ data: [], count: 0 });
  });

  it('leaves no password and no hash of one in the audit log', async () => {
    const everything = JSON.stringify(await app.test.runtime.db.select().from(auditLog));
    expect(everything).toContain('password.changed');
    for (const secret of [TEST_PASSWORD, NEXT_PASSWORD, '$argon2', 'passwordHash'])
      expect(everything).not.toContain(secret);
  });
});
