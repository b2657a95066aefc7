import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { readUserByEmail } from './store.ts';
import { users } from './table.ts';

const ada = { email: 'ada@example.com', password: 'a long enough password', full_name: 'Ada Lovelace' };
const taken = { detail: 'The user with this email already exists in the system' };

const HOME = '127.0.0.1';
const ELSEWHERE = '192.0.2.7';

const post = ({ http }: TestApp, payload: Record<string, unknown>, remoteAddress: string) =>
  http.inject({ method: 'POST', url: '/api/v1/users/signup', payload, remoteAddress });

async function signUp(app: TestApp, form: Record<string, unknown>, address = HOME) {
  const reply = await post(app, form, address);
  return [reply.statusCode, reply.json<Record<string, unknown>>()] as const;
}
const logIn = (app: TestApp, { email, password }: { email: string; password: string }) =>
  app.http.inject({
    method: 'POST',
    url: '/api/v1/login/access-token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: email, password }).toString(),
  });

describe('signing up where it is open', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ variables: { SIGNUP: 'open' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('makes an active account that is recorded and never a superuser', async () => {
    const [status, user] = await signUp(app, { ...ada, is_superuser: true, is_active: false, id: 'mine' });
    const expected = { id: expect.any(String), email: ada.email, full_name: ada.full_name };
    expect([status, user]).toEqual([200, { ...expected, is_superuser: false, is_active: true, role: 'operator' }]);
    expect((await logIn(app, ada)).statusCode).toBe(200);
    expect((await recorded(app, ada.email))[0]).toEqual({
      action: 'user.signed_up',
      actor: ada.email,
      address: HOME,
      before: null,
      after: user,
    });
  });

  it('refuses an email that is taken, in whatever case', async () => {
    await app.addUser({ email: 'bob@example.com' });
    expect(await signUp(app, { ...ada, email: 'BOB@example.com' })).toEqual([400, taken]);
  });

  it('gives one of twenty who come at once with one email the account, and the others a clean refusal', async () => {
    const cases = ['carol@example.com', 'Carol@example.com'];
    const tries = Array.from({ length: 20 }, (_, index) => signUp(app, { ...ada, email: cases[index % 2] }, ELSEWHERE));
    const answers = await Promise.all(tries);
    const winners = answers.filter(([status]) => status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 200)).toEqual(Array(19).fill([400, taken]));
    const stored = await readUserByEmail(app.test.runtime.db, 'carol@example.com');
    expect(stored?.id).toBe(winners[0]?.[1].id);
    const records = [...(await recorded(app, 'carol@example.com')), ...(await recorded(app, 'Carol@example.com'))];
    expect(records.map(({ action }) => action)).toEqual(['user.signed_up']);
    // Twenty tries are what one address has in an hour, whatever came of them.
    const carol = { ...ada, email: 'carol@example.com' };
    const refused = await post(app, carol, ELSEWHERE);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(refused.json()).toEqual({ detail: 'Too many attempts. Try again later.' });
    expect(await signUp(app, carol)).toEqual([400, taken]);
  });

  it('says what is wrong field by field', async () => {
    const [status, body] = await signUp(app, { email: 'nobody', password: 'secret', full_name: 'ab' });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([
      { loc: ['body', 'full_name'], msg: 'Full Name must be at least 3 characters' },
      { loc: ['body', 'email'], msg: 'Invalid email address' },
      { loc: ['body', 'password'], msg: 'Password must be at least 8 characters' },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});

describe('the policy', () => {
  it('"approval" refuses the log-in until a superuser activates the account', async () => {
    await using app = await openTestApp({ variables: { SIGNUP: 'approval' } });
    expect(await ask(app, {}, 'GET', '/system/sign-up-policy')).toEqual([200, { policy: 'approval' }]);
    const [, user] = await signUp(app, ada);
    expect(user).toMatchObject({ is_active: false, is_superuser: false });
    expect((await logIn(app, ada)).json()).toEqual({ detail: 'Inactive user' });
    const { headers } = await app.signedIn({ isSuperuser: true });
    await ask(app, headers, 'PATCH', `/users/${user.id}`, { is_active: true });
    expect((await logIn(app, ada)).statusCode).toBe(200);
  });

  it('"off" makes no accounts', async () => {
    await using app = await openTestApp({ variables: { SIGNUP: 'off' } });
    expect(await ask(app, {}, 'GET', '/system/sign-up-policy')).toEqual([200, { policy: 'off' }]);
    expect(await signUp(app, ada)).toEqual([409, { detail: 'New accounts are not open here' }]);
    expect(await app.test.runtime.db.$count(users)).toBe(0);
  });
});
