import { describe, expect, it } from 'vitest';
import { openTestApp, TEST_PASSWORD } from '../../platform/http/app.fixture.ts';
import { recorded } from '../../platform/http/ask.fixture.ts';
import { softwareKey } from './key.fixture.ts';

const EMAIL = 'ada@example.com';
const HERE = 'http://localhost';
const ELSEWHERE = 'https://dutchbook.example';
const NOT_ACCEPTED = 'The passkey was not accepted. Try again, or enter a code.';
const PASSKEYS = '/api/v1/users/me/passkeys';
const FIVE_MINUTES_MS = 5 * 60_000;

type Body = Record<string, unknown> & { options?: { challenge: string }; passkey_options?: { challenge: string } };

/** A user at the page of the product, with one key. */
async function openDesk() {
  const app = await openTestApp();
  const { user, headers } = await app.signedIn({ email: EMAIL });
  const post = async (url: string, payload: object, of: Record<string, string> = headers) => {
    const given = { ...of, origin: HERE, host: 'localhost' };
    const reply = await app.http.inject({ method: 'POST', url, headers: given, payload });
    return { status: reply.statusCode, body: reply.json<Body>() };
  };
  const key = softwareKey();
  const challengeOfNew = async () =>
    String((await post(`${PASSKEYS}/options`, { password: TEST_PASSWORD })).body.options?.challenge);
  const add = (passkey: string) => post(PASSKEYS, { name: 'Key', passkey });
  const signIn = async (passkey?: string) => {
    const reply = await app.http.inject({
      ...{ method: 'POST', url: '/api/v1/login/access-token' },
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: HERE, host: 'localhost' },
      payload: new URLSearchParams({
        username: EMAIL,
        password: TEST_PASSWORD,
        ...(passkey && { passkey }),
      }).toString(),
    });
    return { status: reply.statusCode, body: reply.json<Body>() };
  };
  const challenge = async () => String((await signIn()).body.passkey_options?.challenge);
  const close = () => app[Symbol.asyncDispose]();
  return { app, user, headers, post, key, challengeOfNew, add, signIn, challenge, [Symbol.asyncDispose]: close };
}

async function openWithKey() {
  const desk = await openDesk();
  const { body } = await desk.add(desk.key.made(HERE, await desk.challengeOfNew()));
  return { ...desk, recoveryCodes: body.recovery_codes as string[] };
}

describe('a passkey', () => {
  it('opens the account, each time by another signature', async () => {
    await using desk = await openWithKey();
    expect(desk.recoveryCodes).toHaveLength(10);
    const asked = await desk.signIn();
    expect(asked).toMatchObject({
      status: 400,
      body: { detail: 'Use your passkey, or enter a recovery code.', second_factor: ['code', 'passkey'] },
    });
    const answer = desk.key.signed(HERE, String(asked.body.passkey_options?.challenge), 1);
    expect((await desk.signIn(answer)).status).toBe(200);
    expect(await desk.signIn(answer)).toMatchObject({ status: 400, body: { detail: NOT_ACCEPTED } });
    expect((await desk.signIn(desk.key.signed(HERE, await desk.challenge(), 2))).status).toBe(200);
    expect((await recorded(desk.app, EMAIL)).map(({ action }) => action)).toEqual([
      'passkey.added',
      'second_factor.refused',
    ]);
  });

  it.each([
    ['signed for the page of another site', 'sign-in', (key, challenge) => key.signed(ELSEWHERE, challenge, 1)],
    ['of another user', 'sign-in', (_, challenge) => softwareKey().signed(HERE, challenge, 1)],
    ['that signed what was not asked for', 'sign-in', (key) => key.signed(HERE, 'bm90IGFza2VkIGZvcg', 1)],
    ['that signed what a session was asked for', 'proof', (key, challenge) => key.signed(HERE, challenge, 1)],
    ['that is no JSON', 'sign-in', () => '{'],
    ['that is of another form', 'sign-in', () => '{"id":"x"}'],
  ] satisfies [string, string, (key: ReturnType<typeof softwareKey>, challenge: string) => string][])(
    '%s opens nothing',
    async (_, asked, answer) => {
      await using desk = await openWithKey();
      const proof = await desk.post('/api/v1/users/me/second-factor/passkey-options', {});
      const challenge = asked === 'proof' ? String(proof.body.options?.challenge) : await desk.challenge();
      expect(await desk.signIn(answer(desk.key, challenge))).toMatchObject({
        status: 400,
        body: { detail: NOT_ACCEPTED },
      });
    },
  );

  it('that was copied is noticed by its counter', async () => {
    await using desk = await openWithKey();
    expect((await desk.signIn(desk.key.signed(HERE, await desk.challenge(), 5))).status).toBe(200);
    expect((await desk.signIn(desk.key.signed(HERE, await desk.challenge(), 5))).status).toBe(400);
  });

  it('opens nothing by what was asked for more than five minutes ago', async () => {
    await using desk = await openWithKey();
    const answer = desk.key.signed(HERE, await desk.challenge(), 1);
    await desk.app.test.time.leap(FIVE_MINUTES_MS);
    expect((await desk.signIn(answer)).status).toBe(400);
  });

  it('is made with the password, for this page, and once', async () => {
    await using desk = await openDesk();
    expect(await desk.post(`${PASSKEYS}/options`, { password: 'wrong' })).toMatchObject({ status: 400 });
    expect((await desk.add(desk.key.made(HERE, 'bm90IGFza2VkIGZvcg'))).status).toBe(400);
    expect((await desk.add(desk.key.made(ELSEWHERE, await desk.challengeOfNew()))).status).toBe(400);
    expect((await desk.signIn()).status).toBe(200);
    const made = desk.key.made(HERE, await desk.challengeOfNew());
    expect((await desk.add(made)).status).toBe(200);
    expect((await desk.add(made)).status).toBe(400);
  });

  it('that is deleted opens nothing more, and with the last one the password is enough again', async () => {
    await using desk = await openWithKey();
    const another = softwareKey();
    expect((await desk.add(another.made(HERE, await desk.challengeOfNew()))).body.recovery_codes).toEqual([]);
    const { http } = desk.app;
    const [first, second] = (await http.inject({ url: '/api/v1/users/me/second-factor', headers: desk.headers })).json()
      .passkeys;
    const remove = ({ id }: { id: string }, headers = desk.headers) =>
      http.inject({ method: 'DELETE', url: `${PASSKEYS}/${id}`, headers });
    expect((await remove(first, (await desk.app.signedIn()).headers)).statusCode).toBe(404);
    expect((await remove(first)).statusCode).toBe(200);
    expect((await desk.signIn(desk.key.signed(HERE, await desk.challenge(), 1))).status).toBe(400);
    expect((await desk.signIn(another.signed(HERE, await desk.challenge(), 1))).status).toBe(200);
    expect((await remove(second)).statusCode).toBe(200);
    expect((await desk.signIn()).status).toBe(200);
  });
});
