import { describe, expect, it } from 'vitest';
import { openTestApp, TEST_PASSWORD } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { phoneOf, setUpAuthenticator, signInWith } from './second-factor.fixture.ts';

const EMAIL = 'ada@example.com';
const ASKED = [400, { detail: 'Enter the code of your authenticator.', second_factor: ['code'] }];
const WRONG = [400, { detail: 'The code is wrong', second_factor: ['code'] }];
const TOO_MANY = [429, { detail: 'Too many attempts. Try again later.' }];
const MINUTE_MS = 60_000;

async function openDesk() {
  const app = await openTestApp();
  const { user, headers } = await app.signedIn({ email: EMAIL });
  const { secret, recoveryCodes } = await setUpAuthenticator(app, headers);
  const signIn = (given: Parameters<typeof signInWith>[2] = {}, address?: string) =>
    signInWith(app, EMAIL, given, address);
  const status = async (...given: Parameters<typeof signIn>) => (await signIn(...given))[0];
  const phone = phoneOf(secret, app);
  return {
    app,
    user,
    headers,
    secret,
    recoveryCodes,
    phone,
    signIn,
    status,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

describe('an account with an authenticator', () => {
  it('is opened by the password and a code, and by neither alone', async () => {
    await using desk = await openDesk();
    expect(await desk.signIn()).toEqual(ASKED);
    expect(await desk.signIn({ password: 'wrong', code: desk.phone.code() })).toEqual([
      400,
      { detail: 'Incorrect email or password' },
    ]);
    expect(await desk.signIn({ code: '000000' })).toEqual(WRONG);
    const [status, body] = await desk.signIn({ code: desk.phone.code() });
    expect(status).toBe(200);
    const opened = { authorization: `Bearer ${body.access_token}` };
    expect((await ask(desk.app, opened, 'GET', '/users/me'))[0]).toBe(200);
    expect((await recorded(desk.app, EMAIL)).map(({ action, actor }) => [action, actor])).toContainEqual([
      'second_factor.refused',
      null,
    ]);
  });

  it('takes no code twice', async () => {
    await using desk = await openDesk();
    const code = desk.phone.code();
    expect(await desk.status({ code })).toBe(200);
    expect(await desk.signIn({ code })).toEqual([
      400,
      { detail: 'The code was used before. Wait for the next one.', second_factor: ['code'] },
    ]);
    const both = await Promise.all([1, 2].map(() => desk.status({ code: desk.phone.code(1) })));
    expect(both.toSorted()).toEqual([200, 400]);
  });

  it('says once that a clock is two minutes off, and takes none of its codes, in their time either', async () => {
    await using desk = await openDesk();
    const { app, phone } = desk;
    const OFF = 'The code is from a clock about two minutes off. Set the clock of the phone and enter a new code.';
    const early = phoneOf(desk.secret, app, 2 * MINUTE_MS).code();
    const late = phoneOf(desk.secret, app, -2 * MINUTE_MS).code();
    expect(await desk.signIn({ password: 'wrong', code: early })).toEqual([
      400,
      { detail: 'Incorrect email or password' },
    ]);
    expect(await desk.signIn({ code: early })).toEqual([400, { detail: OFF, second_factor: ['code'] }]);
    expect(await desk.signIn({ code: early })).toEqual(WRONG);
    expect(await desk.signIn({ code: late })).toEqual(WRONG);
    await app.test.time.leap(2 * MINUTE_MS);
    expect(phone.code()).toBe(early);
    expect(await desk.status({ code: early })).toBe(400);
    await app.test.time.leap(MINUTE_MS);
    expect(await desk.status({ code: phone.code() }, '10.0.0.9')).toBe(200);
    // A user who has shown that they have the phone may set its clock wrong again.
    const again = phoneOf(desk.secret, app, 2 * MINUTE_MS).code();
    expect((await desk.signIn({ code: again }, '10.0.0.9'))[1].detail).toBe(OFF);
  });

  it('confirms no guess to who has only a session', async () => {
    await using desk = await openDesk();
    const early = phoneOf(desk.secret, desk.app, 2 * MINUTE_MS).code();
    const prove = (code: string) => ask(desk.app, desk.headers, 'POST', '/users/me/second-factor/prove', { code });
    expect(await prove(early)).toEqual([400, { detail: 'The code is wrong' }]);
    await desk.app.test.time.leap(2 * MINUTE_MS);
    expect((await prove(early))[0]).toBe(400);
  });

  it('is opened by each recovery code once where the phone is lost', async () => {
    await using desk = await openDesk();
    const [first = '', second = ''] = desk.recoveryCodes;
    expect(new Set(desk.recoveryCodes).size).toBe(10);
    expect(await desk.status({ code: first.toUpperCase() })).toBe(200);
    expect(await desk.signIn({ code: first })).toEqual(WRONG);
    expect(await desk.status({ code: second.replaceAll('-', ' ') })).toBe(200);
    const [, mine] = await ask(desk.app, desk.headers, 'GET', '/users/me/second-factor');
    expect(mine).toEqual({ authenticator: true, recovery_codes_left: 8, passkeys: [] });
  });

  it('is opened by the password alone after a superuser has reset it for who lost phone and codes', async () => {
    await using desk = await openDesk();
    const chief = await desk.app.signedIn({ isSuperuser: true });
    const reset = (headers: Record<string, string>) =>
      ask(desk.app, headers, 'POST', `/users/${desk.user.id}/second-factor/reset`);
    expect((await reset((await desk.app.signedIn()).headers))[0]).toBe(403);
    expect(await desk.signIn()).toEqual(ASKED);
    expect((await reset(chief.headers))[0]).toBe(200);
    expect((await ask(desk.app, desk.headers, 'GET', '/users/me'))[0]).toBe(403);
    expect(await desk.status()).toBe(200);
    expect((await recorded(desk.app, EMAIL)).map(({ action }) => action)).toContain('second_factor.reset');
  });
});

describe('guessing codes with a stolen password', () => {
  it('ends after five of a network, and shuts out neither another network nor a known device', async () => {
    await using desk = await openDesk();
    const [, { device_token: known }] = await desk.signIn({ code: desk.phone.code() });
    await desk.app.test.time.leap(MINUTE_MS);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await desk.signIn({ code: '000000' })).toEqual(WRONG);
    // The right password once more does not begin the count anew.
    expect(await desk.signIn()).toEqual(ASKED);
    expect(await desk.signIn({ code: desk.phone.code() })).toEqual(TOO_MANY);
    expect(await desk.status({ code: desk.phone.code(), device_token: String(known) })).toBe(200);
    expect(await desk.status({ code: desk.phone.code(1) }, '10.0.0.9')).toBe(200);
  });

  it('ends after thirty of all networks, but for a known device', async () => {
    await using desk = await openDesk();
    const [, { device_token: known }] = await desk.signIn({ code: desk.phone.code() });
    for (let attempt = 0; attempt < 29; attempt += 1) await desk.signIn({ code: '000000' }, `10.0.${attempt}.1`);
    expect(await desk.signIn({ code: '000000' }, '10.1.0.1')).toEqual(TOO_MANY);
    expect(await desk.status({ code: desk.phone.code(1), device_token: String(known) }, '10.1.0.1')).toBe(200);
    await desk.app.test.time.leap(15 * MINUTE_MS);
    expect(await desk.status({ code: desk.phone.code() }, '10.1.0.2')).toBe(200);
  });

  it('with many tokens of devices ends after five, as with one', async () => {
    await using desk = await openDesk();
    const tokens: string[] = [];
    for (let device = 0; device < 3; device += 1) {
      const [, opened] = await desk.signIn({ code: desk.phone.code() });
      tokens.push(String(opened.device_token));
      await desk.app.test.time.leap(30_000);
    }
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await desk.signIn({ code: '000000', device_token: tokens[attempt % 2] ?? '' })).toEqual(WRONG);
    expect(await desk.signIn({ code: desk.phone.code(), device_token: tokens[2] ?? '' })).toEqual(TOO_MANY);
    expect(await desk.status({ code: desk.phone.code() })).toBe(200);
  });

  it('with many stolen sessions ends after thirty', async () => {
    await using desk = await openDesk();
    const prove = async (code: string) => {
      const headers = { authorization: `Bearer ${await desk.app.sessions.issue(desk.user)}` };
      return await ask(desk.app, headers, 'POST', '/users/me/second-factor/prove', { code });
    };
    // Setting it up took one password and one code.
    for (let attempt = 2; attempt < 30; attempt += 1) expect((await prove('000000'))[0]).toBe(400);
    expect(await prove('000000')).toEqual(TOO_MANY);
  });

  it('in a stolen session ends after five, and shuts out no other session', async () => {
    await using desk = await openDesk();
    const prove = (headers: Record<string, string>, code: string) =>
      ask(desk.app, headers, 'POST', '/users/me/second-factor/prove', { code });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await prove(desk.headers, '000000')).toEqual([400, { detail: 'The code is wrong' }]);
    expect(await prove(desk.headers, desk.phone.code())).toEqual(TOO_MANY);
    const own = { authorization: `Bearer ${await desk.app.sessions.issue(desk.user)}` };
    expect((await prove(own, desk.phone.code()))[0]).toBe(200);
  });
});

describe('setting an authenticator up', () => {
  it('takes the password, and asks for nothing before a code has confirmed it', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn({ email: EMAIL });
    const start = (password: string) => ask(app, headers, 'POST', '/users/me/second-factor/start', { password });
    expect(await start('wrong')).toEqual([400, { detail: 'Incorrect password' }]);
    const [, first] = await start(TEST_PASSWORD);
    const [, { secret }] = await start(TEST_PASSWORD);
    expect((await signInWith(app, EMAIL))[0]).toBe(200);
    const confirm = (of: unknown) =>
      ask(app, headers, 'POST', '/users/me/second-factor/confirm', { code: phoneOf(String(of), app).code() });
    expect(await confirm(first.secret)).toEqual([400, { detail: 'The code is wrong' }]);
    expect((await confirm(secret))[0]).toBe(200);
    expect(await signInWith(app, EMAIL)).toEqual(ASKED);
    expect(await start(TEST_PASSWORD)).toEqual([409, { detail: 'The account has an authenticator already' }]);
  });
});
