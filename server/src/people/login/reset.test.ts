import { eq, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { linkIn } from '../../platform/mail/mail-server.fixture.ts';
import { passwordResets, users } from '../users/table.ts';

const HOUR_MS = 3_600_000;
const UPDATED = [200, { message: 'Password updated successfully' }];
const INVALID = [400, { detail: 'Invalid token' }];

const reset = (app: TestApp, token: string, newPassword = TEST_PASSWORD) =>
  ask(app, {}, 'POST', '/reset-password/', { token, new_password: newPassword });

/** As if so much time had passed: two days of it, timer by timer, would take minutes. */
async function age({ test }: TestApp, ms: number): Promise<void> {
  const earlier = (column: AnyPgColumn) => sql`${column} - make_interval(secs => ${ms / 1000})`;
  const { createdAt, expiresAt } = passwordResets;
  await test.runtime.db.update(passwordResets).set({ createdAt: earlier(createdAt), expiresAt: earlier(expiresAt) });
}

async function openDesk() {
  const app = await openTestApp();
  const { user: superuser, headers } = await app.signedIn({ isSuperuser: true });
  const readHtml = (email: string, asking: Record<string, string> = headers) =>
    app.http.inject({ method: 'POST', url: `/api/v1/password-recovery-html-content/${email}`, headers: asking });
  const tokenFor = async ({ email }: UserRow) => linkIn((await readHtml(email)).body).token;
  return { app, superuser, readHtml, tokenFor, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

it('that is no token, of whatever length, is an invalid one', async () => {
  await using app = await openTestApp({ variables: { RATE_LIMIT: 'off' } });
  for (const length of [1, 201, 5000, 100_000]) expect(await reset(app, 'x'.repeat(length))).toEqual(INVALID);
});

describe('a link that sets a new password', () => {
  it('is shown to a superuser as the mail would show it', async () => {
    await using desk = await openDesk();
    const { app, readHtml } = desk;
    const user = await app.addUser({ email: 'ada@example.com' });
    const shown = await readHtml('Ada@example.com');
    expect([shown.statusCode, shown.headers['content-type'], shown.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(shown.body).toContain(desk.superuser.email);
    expect(await recorded(app, user.email)).toMatchObject([
      { action: 'password.recovery_shown', actor: desk.superuser.email },
    ]);
    const unknown = await readHtml('nobody@example.com');
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { detail: 'User not found' }]);
    expect((await readHtml('ada@example.com', (await app.signedIn()).headers)).statusCode).toBe(403);
    expect((await readHtml('ada@example.com', {})).statusCode).toBe(401);
    // The password may also stay as it was.
    expect(await reset(app, linkIn(shown.body).token)).toEqual(UPDATED);
  });

  it('works for 48 hours, and until another one has been used', async () => {
    await using desk = await openDesk();
    const { app, tokenFor } = desk;
    const user = await app.addUser();
    const [late, unused, inTime] = [await tokenFor(user), await tokenFor(user), await tokenFor(user)];
    await age(app, 48 * HOUR_MS - 1);
    expect(await reset(app, inTime)).toEqual(UPDATED);
    expect(await reset(app, unused)).toEqual(INVALID);
    const expired = await tokenFor(user);
    await age(app, 48 * HOUR_MS);
    for (const token of [expired, late, 'made up']) expect(await reset(app, token)).toEqual(INVALID);
  });

  it('is one of three at most: an older one gives way', async () => {
    await using desk = await openDesk();
    const { app, tokenFor } = desk;
    const user = await app.addUser();
    const tokens: string[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      tokens.push(await tokenFor(user));
      await app.test.time.advance(1000);
    }
    expect(await app.test.runtime.db.$count(passwordResets)).toBe(3);
    const [oldest = '', second = ''] = tokens;
    expect(await reset(app, oldest)).toEqual(INVALID);
    expect(await reset(app, second)).toEqual(UPDATED);
  });

  it('is good for one of those who use it, or another of the same user, at the same time', async () => {
    await using desk = await openDesk();
    const { app, tokenFor } = desk;
    const user = await app.addUser();
    const [one, other] = [await tokenFor(user), await tokenFor(user)];
    const answers = await Promise.all([one, other, one, other, one].map((token) => reset(app, token)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([status]) => status === 400)).toHaveLength(4);
    const [after] = await app.test.runtime.db.select().from(users).where(eq(users.id, user.id));
    expect(after?.sessionEpoch).toBe(1);
    expect((await recorded(app, user.email)).filter(({ action }) => action === 'password.reset')).toHaveLength(1);
  });

  it('does nothing for a user who was deactivated meanwhile', async () => {
    await using desk = await openDesk();
    const { app, readHtml, tokenFor } = desk;
    const user = await app.addUser();
    const token = await tokenFor(user);
    await app.test.runtime.db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
    expect(await reset(app, token)).toEqual([400, { detail: 'Inactive user' }]);
    expect((await readHtml(user.email)).json()).toEqual({ detail: 'Inactive user' });
  });
});

describe('the form', () => {
  it('names what is wrong with the new password, and repeats none of it', async () => {
    await using app = await openTestApp();
    const [status, { detail }] = await ask(app, {}, 'POST', '/reset-password/', { new_password: 'short' });
    expect([status, detail]).toEqual([
      422,
      [
        { loc: ['body', 'new_password'], msg: 'Password must be at least 8 characters', type: expect.any(String) },
        { loc: ['body', 'token'], msg: 'Token is required', type: 'missing' },
      ],
    ]);
  });
});
