import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { openTestApp, TEST_PASSWORD, TEST_WEB_URL, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { linkIn, openMailServer } from '../../platform/mail/mail-server.fixture.ts';
import { passwordResets } from '../users/table.ts';

const NEW_PASSWORD = 'another horse entirely';

/** All of the answer but what is new in every one. */
async function askedFor({ http }: TestApp, email: string) {
  const { statusCode, headers, body } = await http.inject({
    method: 'POST',
    url: `/api/v1/password-recovery/${encodeURIComponent(email)}`,
  });
  const { date: _date, 'x-request-id': _id, 'content-security-policy': _nonce, ...others } = headers;
  return { statusCode, others, body };
}

async function canSignIn({ http }: TestApp, username: string, password: string): Promise<boolean> {
  const reply = await http.inject({
    method: 'POST',
    url: '/api/v1/login/access-token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password }).toString(),
  });
  return reply.statusCode === 200;
}

it('a user who forgot the password gets a link that sets a new one, once', async () => {
  await using server = await openMailServer();
  const variables = { SMTP_URL: `smtp://127.0.0.1:${server.port}` };
  await using app = await openTestApp({ variables, mailing: true });
  const { user, headers } = await app.signedIn({ email: 'Ada+desk@example.com' });
  await app.addUser({ email: 'gone@example.com', isActive: false });

  // The known one is the last, so that the first letter to arrive says that the others got none.
  const answers = [];
  for (const email of ['nobody@example.com', 'gone@example.com', 'ada+desk@EXAMPLE.com'])
    answers.push(await askedFor(app, email));
  expect(answers[0]).toMatchObject({
    statusCode: 200,
    body: JSON.stringify({ message: 'If that email has an account, a password recovery email was sent.' }),
  });
  expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
  const { to, letter } = await server.delivery();
  expect(to).toBe(user.email);
  const { url, token } = linkIn(letter);
  expect(url).toBe(`${TEST_WEB_URL}/reset-password?token=${token}`);
  expect(token).toMatch(/^[\w-]{43}$/);
  for (const part of ['Dutchbook', '127.0.0.1', '48 hours']) expect(letter).toContain(part);
  expect(await everythingStored(app)).not.toContain(token);

  const reset = () => ask(app, {}, 'POST', '/reset-password/', { token, new_password: NEW_PASSWORD });
  expect(await reset()).toEqual([200, { message: 'Password updated successfully' }]);
  expect(await reset()).toEqual([400, { detail: 'Invalid token' }]);
  expect((await ask(app, headers, 'POST', '/login/test-token'))[0]).toBe(403);
  expect(await canSignIn(app, user.email, TEST_PASSWORD)).toBe(false);
  expect(await canSignIn(app, user.email, NEW_PASSWORD)).toBe(true);
  expect(await recorded(app, 'ada+desk@EXAMPLE.com')).toMatchObject([
    { action: 'password.recovery_requested', actor: null, address: '127.0.0.1' },
  ]);
  expect(await recorded(app, user.email)).toMatchObject([
    { action: 'password.reset', actor: user.email },
    { action: 'session.refused', actor: null },
  ]);
});

it('without a mail server the link is in a file for the owner of the data alone; and asking and trying are rate limited', async () => {
  await using app = await openTestApp({ mailing: true });
  const { user } = await app.signedIn({ email: 'ada@example.com' });
  const statuses = async (emails: string[]) => {
    const answers = [];
    for (const email of emails) answers.push(await askedFor(app, email));
    return answers.map(({ statusCode, others }) => [statusCode, others['retry-after']]);
  };
  const passed = [200, undefined];
  const refused = [429, '3600'];
  expect(await statuses(['ada@example.com', 'ADA@example.com', 'Ada@example.com', 'ada@EXAMPLE.com'])).toEqual([
    ...[passed, passed, passed],
    refused,
  ]);
  const nobody = 'nobody@example.com';
  expect(await statuses([nobody, nobody, nobody, nobody])).toEqual([passed, passed, passed, refused]);
  const others = Array.from({ length: 15 }, (_, index) => `user${index}@example.com`);
  expect(await statuses(others)).toEqual([...others.slice(1).map(() => passed), refused]);

  const folder = path.join(app.test.runtime.config.dataDir, 'mail');
  const kept = () => (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.eml'));
  await vi.waitFor(() => expect(kept()).not.toEqual([]), 60_000);
  const file = path.join(folder, kept()[0] ?? '');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { token } = linkIn(readFileSync(file, 'utf8'));
  const reset = () => ask(app, {}, 'POST', '/reset-password/', { token, new_password: NEW_PASSWORD });
  expect((await reset())[0]).toBe(200);
  expect(await canSignIn(app, user.email, NEW_PASSWORD)).toBe(true);
  for (let tries = 1; tries < 20; tries += 1) expect((await reset())[0]).toBe(400);
  expect(await reset()).toEqual([429, { detail: 'Too many attempts. Try again later.' }]);
});

/** The queue with its finished jobs, the tokens as kept, and the audit log. */
async function everythingStored({ test }: TestApp): Promise<string> {
  const { db } = test.runtime;
  const jobs = await db.execute(sql`select data::text, output::text from pgboss.job`);
  const audited = await db.execute(sql`select * from audit_log`);
  const resets = await db.select().from(passwordResets);
  expect(resets).toHaveLength(1);
  return JSON.stringify([jobs, audited, resets]);
}
