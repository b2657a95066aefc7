import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { users } from '../users/table.ts';
import { knownDevices } from './table.ts';

const ME = '/api/v1/users/me';
const DAY_SECONDS = 86_400;

function signIn(
  { http }: TestApp,
  username: string,
  password: string,
  remoteAddress = '127.0.0.1',
  forwarded: Record<string, string> = {},
) {
  return http.inject({
    method: 'POST',
    remoteAddress,
    url: '/api/v1/login/access-token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...forwarded },
    payload: new URLSearchParams({ username, password }).toString(),
  });
}

/** The token of one more device that logs in. */
async function deviceOf(app: TestApp, address?: string): Promise<string> {
  return (await signIn(app, 'ada@example.com', TEST_PASSWORD, address)).json().device_token;
}

function withDevice({ http }: TestApp, token = '', given: { username?: string; password?: string } = {}) {
  const form = { username: 'ada@example.com', password: TEST_PASSWORD, device_token: token, ...given };
  return http.inject({
    ...{ method: 'POST', url: '/api/v1/login/access-token' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
}

describe('signing in', () => {
  it('exchanges email and password for a token that opens the calls', async () => {
    await using app = await openTestApp();
    const user = await app.addUser({ email: 'Ada@example.com', fullName: 'Ada' });
    const reply = await signIn(app, 'ada@Example.com', TEST_PASSWORD);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      device_token: expect.any(String),
      first_login: true,
    });
    const again = await signIn(app, 'ada@example.com', TEST_PASSWORD);
    expect([again.statusCode, 'first_login' in again.json()]).toEqual([200, false]);
    const opened = await app.test.runtime.db.select().from(auditLog);
    const entry = { action: 'session.opened', actorId: user.id, address: '127.0.0.1' };
    expect(opened).toMatchObject([entry, entry]);
    const { access_token: token } = reply.json<{ access_token: string }>();
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(30 * DAY_SECONDS);
    const headers = { authorization: `Bearer ${token}` };
    const flags = { is_superuser: false, is_active: true, role: 'operator' };
    const ada = { id: user.id, email: 'Ada@example.com', full_name: 'Ada', ...flags };
    expect((await app.http.inject({ url: ME, headers })).json()).toEqual(ada);
    const tested = await app.http.inject({ method: 'POST', url: '/api/v1/login/test-token', headers });
    expect(tested.json()).toEqual(ada);
  });

  it('takes the form as multipart too, as some clients send it', async () => {
    await using app = await openTestApp();
    const { email } = await app.addUser();
    const send = (payload: string) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/login/access-token',
        headers: { 'content-type': 'multipart/form-data; boundary=line' },
        payload,
      });
    const field = (name: string, value: string) =>
      `--line\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const name = field('username', email);
    expect((await send(`${name}${field('password', TEST_PASSWORD)}--line--\r\n`)).statusCode).toBe(200);
    expect((await send(`${name}${field('password', 'wrong')}--line--\r\n`)).statusCode).toBe(400);
    const missing = await send(`${name}--line--\r\n`);
    expect([missing.statusCode, missing.json().detail[0].loc]).toEqual([422, ['body', 'password']]);
    const file = '--line\r\nContent-Disposition: form-data; name="username"; filename="a.txt"\r\n\r\nx\r\n';
    expect((await send(`${file}${field('password', 'x')}--line--\r\n`)).statusCode).toBe(422);
    expect((await send(name.slice(0, -30))).statusCode).toBe(422);
  });

  it('answers a wrong password and an unknown email alike', async () => {
    await using app = await openTestApp();
    await app.addUser({ email: 'ada@example.com' });
    for (const email of ['ADA@example.com', 'nobody@example.com']) {
      const reply = await signIn(app, email, 'wrong');
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toEqual({ detail: 'Incorrect email or password' });
    }
    const refused = { action: 'session.refused', actorId: null, actor: null, address: '127.0.0.1' };
    expect(await app.test.runtime.db.select().from(auditLog).orderBy(auditLog.seq)).toMatchObject([
      { ...refused, object: 'ADA@example.com' },
      { ...refused, object: 'nobody@example.com' },
    ]);
  });

  it('rejects an inactive user only after the right password', async () => {
    await using app = await openTestApp();
    await app.addUser({ email: 'ada@example.com', isActive: false });
    expect((await signIn(app, 'ada@example.com', 'wrong')).json()).toEqual({ detail: 'Incorrect email or password' });
    const reply = await signIn(app, 'ada@example.com', TEST_PASSWORD);
    expect([reply.statusCode, reply.json()]).toEqual([400, { detail: 'Inactive user' }]);
    const refused = { action: 'session.refused', object: 'ada@example.com', actor: null };
    expect(await app.test.runtime.db.select().from(auditLog)).toMatchObject([refused, refused]);
  });

  it('ends every session of a user whose epoch rises, who is deactivated or removed', async () => {
    await using app = await openTestApp();
    const { db } = app.test.runtime;
    const { user, headers } = await app.signedIn();
    const asked = async () => {
      const reply = await app.http.inject({ url: ME, headers });
      return [reply.statusCode, reply.statusCode === 200 ? 'in' : reply.json().detail];
    };
    expect(await asked()).toEqual([200, 'in']);
    await db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
    expect(await asked()).toEqual([400, 'Inactive user']);
    await db.update(users).set({ isActive: true, sessionEpoch: 1 }).where(eq(users.id, user.id));
    expect(await asked()).toEqual([403, 'Could not validate credentials']);
    await db.delete(users).where(eq(users.id, user.id));
    expect(await asked()).toEqual([403, 'Could not validate credentials']);
  });
});

describe('the limits on signing in', () => {
  it('refuse a sixth wrong password for an account, and only for that account, until the quarter of an hour is over', async () => {
    await using app = await openTestApp();
    await app.addUser({ email: 'ada@example.com' });
    await app.addUser({ email: 'bob@example.com' });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await signIn(app, 'ada@example.com', 'wrong')).statusCode).toBe(400);
    const refused = await signIn(app, 'ADA@example.com', TEST_PASSWORD);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '900']);
    expect(refused.json()).toEqual({ detail: 'Too many attempts. Try again later.' });
    expect(await app.test.runtime.db.$count(auditLog)).toBe(5);
    expect((await signIn(app, 'bob@example.com', TEST_PASSWORD)).statusCode).toBe(200);
    await app.test.time.leap(15 * 60_000);
    expect((await signIn(app, 'ada@example.com', TEST_PASSWORD)).statusCode).toBe(200);
  });

  it('do not shut out devices that have logged in before for what others try, and hold for those together', async () => {
    await using app = await openTestApp();
    for (const email of ['ada@example.com', 'bob@example.com']) await app.addUser({ email });
    const known = await deviceOf(app);
    const other = await deviceOf(app);
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(app, 'ada@example.com', 'wrong');
    for (let attempt = 0; attempt < 14; attempt += 1) await signIn(app, `user${attempt}@example.com`, 'wrong');
    expect((await signIn(app, 'ada@example.com', TEST_PASSWORD)).statusCode).toBe(429);
    expect((await withDevice(app, `${known.slice(0, -1)}_`)).statusCode).toBe(429);
    expect((await withDevice(app, known, { username: 'bob@example.com' })).statusCode).toBe(429);
    const reply = await withDevice(app, known, { username: 'ADA@example.com' });
    expect([reply.statusCode, reply.json().device_token]).toEqual([200, known]);
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await withDevice(app, [known, other][attempt % 2], { password: 'wrong' })).statusCode).toBe(400);
    expect((await withDevice(app, known)).statusCode).toBe(429);
    expect((await withDevice(app, other)).statusCode).toBe(429);
  });

  it('know ten devices of an account at most, and none from before its password was changed', async () => {
    await using app = await openTestApp();
    const { user, headers } = await app.signedIn({ email: 'ada@example.com' });
    const tokens: string[] = [];
    for (let login = 0; login < 11; login += 1) {
      tokens.push(await deviceOf(app, `10.0.${login}.1`));
      await app.test.time.advance(1000);
    }
    // An unknown device counts with its network, which has no attempts left.
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(app, 'ada@example.com', 'wrong');
    const statuses = async () => {
      const answers: number[] = [];
      for (const token of tokens) answers.push((await withDevice(app, token)).statusCode);
      return answers;
    };
    expect(await statuses()).toEqual([429, ...tokens.slice(1).map(() => 200)]);
    const changed = { current_password: TEST_PASSWORD, new_password: 'another long password' };
    const answer = await app.http.inject({ method: 'PATCH', url: `${ME}/password`, headers, payload: changed });
    expect(answer.statusCode).toBe(200);
    expect(new Set(await statuses())).toEqual(new Set([429]));
    const { db } = app.test.runtime;
    const renewed = await signIn(app, 'ada@example.com', 'another long password', '10.1.0.1');
    expect(renewed.statusCode).toBe(200);
    expect(await db.$count(knownDevices, eq(knownDevices.userId, user.id))).toBe(1);
  });

  it('refuse the twenty-first attempt of one address within a minute', async () => {
    await using app = await openTestApp();
    for (let attempt = 0; attempt < 20; attempt += 1)
      expect((await signIn(app, `user${attempt}@example.com`, 'wrong')).statusCode).toBe(400);
    expect((await signIn(app, 'another@example.com', 'wrong')).statusCode).toBe(429);
    await app.test.time.leap(60_000);
    expect((await signIn(app, 'another@example.com', 'wrong')).statusCode).toBe(400);
  });

  it('hold for a machine that takes another IPv6 address for every attempt', async () => {
    await using app = await openTestApp();
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await signIn(app, 'ada@example.com', 'wrong', `2001:db8:1:2::${attempt}`)).statusCode).toBe(400);
    expect((await signIn(app, 'ada@example.com', 'wrong', '2001:db8:1:2:3:4:5:6')).statusCode).toBe(429);
    expect((await signIn(app, 'ada@example.com', 'wrong', '2001:db8:1:3::1')).statusCode).toBe(400);
  });

  it.each([
    ['nobody', {}, '10.0.0.1', 429],
    ['a trusted proxy', { TRUSTED_PROXIES: '10.0.0.0/8' }, '192.0.2.1', 400],
  ])('take the word of %s for where an attempt comes from', async (_, variables, address, status) => {
    await using app = await openTestApp({ variables });
    const user = await app.addUser({ email: 'ada@example.com' });
    const from = (client: string, password: string) =>
      signIn(app, user.email, password, '10.0.0.1', { 'x-forwarded-for': `198.51.100.7, ${client}` });
    await from('192.0.2.1', TEST_PASSWORD);
    expect(await app.test.runtime.db.select().from(auditLog)).toMatchObject([{ action: 'session.opened', address }]);
    for (let attempt = 0; attempt < 5; attempt += 1) await from('192.0.2.1', 'wrong');
    expect((await from('192.0.2.1', 'wrong')).statusCode).toBe(429);
    expect((await from('192.0.2.2', 'wrong')).statusCode).toBe(status);
  });

  it('are off when they are switched off', async () => {
    await using app = await openTestApp({ variables: { RATE_LIMIT: 'off' } });
    for (let attempt = 0; attempt < 25; attempt += 1)
      expect((await signIn(app, 'ada@example.com', 'wrong')).statusCode).toBe(400);
  });
});

describe('the form', () => {
  it('names the fields that are missing or wrong in the words of the product', async () => {
    await using app = await openTestApp();
    const reply = await app.http.inject({ method: 'POST', url: '/api/v1/login/access-token' });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      { loc: ['body', 'username'], msg: 'Username is required', type: 'missing', input: null },
      { loc: ['body', 'password'], msg: 'Password is required', type: 'missing' },
    ]);
    const wrong = await signIn(app, 'ada', 'secret words');
    expect(wrong.json().detail[0]).toMatchObject({ loc: ['body', 'username'], msg: 'Invalid email address' });
    expect(wrong.body).not.toContain('secret words');
  });
});
