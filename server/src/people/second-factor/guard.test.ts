import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { sessions } from '../login/table.ts';
import { phoneOf, setUpAuthenticator, signInWith } from './second-factor.fixture.ts';

const NEEDED = [
  409,
  { detail: 'Prove your second factor once more.', second_factor: ['code'], second_factor_needed: true },
];
const LIVE = { POLYMARKET_PRIVATE_KEY: `0x${'11'.repeat(32)}`, SECRET_KEY: 'a secret key that is long enough for it' };
const LIMITS = { per_order_usd: 10, per_batch_usd: 20, per_day_usd: 30, open_exposure_usd: 40 };

/** As if five minutes had passed since anything was proven: timer by timer they take long. */
async function letPass({ test }: TestApp): Promise<void> {
  await test.runtime.db.update(sessions).set({ provenAt: sql`${sessions.provenAt} - interval '5 minutes'` });
}

describe('a superuser with a second factor', () => {
  it('proves it again, for five minutes and one session, before limits, arming and what shows a secret', async () => {
    await using app = await openTestApp({ variables: LIVE });
    const { user, headers } = await app.signedIn({ isSuperuser: true });
    const { secret } = await setUpAuthenticator(app, headers);
    const phone = phoneOf(secret, app);
    const calls = () => [
      ask(app, headers, 'PUT', '/system-settings/limits', LIMITS),
      ask(app, headers, 'POST', '/system/arm', { confirmation: 'ARM' }),
      ask(app, headers, 'POST', '/users/me/second-factor/recovery-codes'),
      ask(app, headers, 'POST', '/users/me/second-factor/disable'),
      ask(app, headers, 'POST', `/users/${user.id}/second-factor/reset`),
      ask(app, headers, 'POST', `/password-recovery-html-content/${user.email}`),
    ];
    await letPass(app);
    for (const answer of calls()) expect(await answer).toEqual(NEEDED);
    expect((await ask(app, headers, 'GET', '/system-settings/limits'))[0]).toBe(200);
    const prove = (code: string) => ask(app, headers, 'POST', '/users/me/second-factor/prove', { code });
    expect((await prove('000000'))[0]).toBe(400);
    expect((await prove(phone.code()))[0]).toBe(200);
    expect((await ask(app, headers, 'PUT', '/system-settings/limits', LIMITS))[0]).toBe(200);
    expect((await ask(app, headers, 'POST', '/system/arm', { confirmation: 'ARM' }))[0]).toBe(200);
    const other = { authorization: `Bearer ${await app.sessions.issue(user)}` };
    expect(await ask(app, other, 'POST', '/system/arm', { confirmation: 'ARM' })).toEqual(NEEDED);
    // The kill switch asks for nothing.
    expect((await ask(app, other, 'POST', '/system/disarm'))[0]).toBe(200);
    await letPass(app);
    expect(await ask(app, headers, 'POST', '/system/arm', { confirmation: 'ARM' })).toEqual(NEEDED);
    const [, signedIn] = await signInWith(app, user.email, { code: phone.code(1) });
    const fresh = { authorization: `Bearer ${signedIn.access_token}` };
    expect((await ask(app, fresh, 'POST', '/users/me/second-factor/disable'))[0]).toBe(200);
    expect((await signInWith(app, user.email))[0]).toBe(200);
    expect((await recorded(app, user.email)).map(({ action }) => action)).toContain('second_factor.disabled');
  });
});

describe('a superuser without a second factor', () => {
  it('arms no real venue', async () => {
    await using app = await openTestApp({ variables: LIVE });
    const { headers } = await app.signedIn({ isSuperuser: true });
    expect((await ask(app, headers, 'PUT', '/system-settings/limits', LIMITS))[0]).toBe(200);
    expect(await ask(app, headers, 'POST', '/system/arm', { confirmation: 'ARM' })).toEqual([
      409,
      { detail: 'Set up a second factor under Settings before you arm a real venue.' },
    ]);
    await setUpAuthenticator(app, headers);
    expect((await ask(app, headers, 'POST', '/system/arm', { confirmation: 'ARM' }))[0]).toBe(200);
  });

  it('arms the simulated exchange', async () => {
    await using app = await openTestApp({ variables: { VENUE: 'simulated' } });
    const { headers } = await app.signedIn({ isSuperuser: true });
    expect((await ask(app, headers, 'POST', '/system/arm', { confirmation: 'ARM' }))[0]).toBe(200);
  });
});

describe('where all users are asked for a second factor', () => {
  it('a user without one sees that, sets one up, and changes nothing before, but to stop trading', async () => {
    await using app = await openTestApp({ variables: { VENUE: 'simulated' } });
    const chief = await app.signedIn({ isSuperuser: true });
    const other = await app.signedIn({ isSuperuser: true });
    const setForAll = (headers: Record<string, string>, on: boolean) =>
      ask(app, headers, 'PUT', '/system-settings/security', { second_factor_for_all: on });
    expect(await setForAll(chief.headers, true)).toEqual([
      409,
      { detail: 'Set up a second factor under Settings before you ask all users for one.' },
    ]);
    await setUpAuthenticator(app, chief.headers);
    expect(await setForAll(chief.headers, true)).toMatchObject([200, { second_factor_for_all: true }]);
    const me = async () => (await ask(app, other.headers, 'GET', '/users/me'))[1];
    const addItem = () => ask(app, other.headers, 'POST', '/items/', { title: 'A thing' });
    expect(await me()).toMatchObject({ second_factor_missing: true });
    expect(await addItem()).toEqual([
      409,
      { detail: 'Set up a second factor under Settings before you change anything.' },
    ]);
    expect((await ask(app, other.headers, 'GET', '/items/'))[0]).toBe(200);
    expect((await ask(app, other.headers, 'PATCH', '/users/me', { full_name: 'Ada' }))[0]).toBe(200);
    expect((await ask(app, other.headers, 'POST', '/system/disarm'))[0]).toBe(200);
    await setUpAuthenticator(app, other.headers);
    expect(await me()).not.toHaveProperty('second_factor_missing');
    expect((await addItem())[0]).toBe(200);
    expect((await recorded(app, 'simulated')).map(({ action }) => action)).toContain('security.changed');
  });
});
