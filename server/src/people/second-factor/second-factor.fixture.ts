import { Secret, TOTP } from 'otpauth';
import { TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { passkeys } from './table.ts';

const MINE = '/users/me/second-factor';
const STEP_MS = 30_000;

/** A phone with an authenticator on it, whose clock may be off. */
export function phoneOf(secret: string, app: Pick<TestApp, 'test'>, offMs = 0) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return {
    code: (inSteps = 0) => totp.generate({ timestamp: app.test.runtime.clock.now() + offMs + inSteps * STEP_MS }),
  };
}

/** Sets an authenticator up as a person does. @returns its secret, and the recovery codes that were shown */
export async function setUpAuthenticator(app: TestApp, headers: Record<string, string>) {
  const [, started] = await ask(app, headers, 'POST', `${MINE}/start`, { password: TEST_PASSWORD });
  const secret = String(started.secret);
  const [status, confirmed] = await ask(app, headers, 'POST', `${MINE}/confirm`, { code: phoneOf(secret, app).code() });
  if (status !== 200) throw new Error(JSON.stringify(confirmed));
  // The code that confirmed it is used up.
  await app.test.time.leap(STEP_MS);
  return { secret, recoveryCodes: confirmed.recovery_codes as string[] };
}

/** Signs in with the password, and what is given besides. */
export async function signInWith(
  { http }: Pick<TestApp, 'http'>,
  username: string,
  given: { code?: string; passkey?: string; device_token?: string; password?: string } = {},
  remoteAddress = '127.0.0.1',
): Promise<[status: number, body: Record<string, unknown>]> {
  const reply = await http.inject({
    ...{ method: 'POST', url: '/api/v1/login/access-token', remoteAddress },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password: TEST_PASSWORD, ...given }).toString(),
  });
  return [reply.statusCode, reply.json<Record<string, unknown>>()];
}

/** A user who has a second factor, and has just proven it: for tests of what comes after that. */
export async function signedInWithFactor(
  { test, sessions, addUser }: TestApp,
  fields: Partial<UserRow> = {},
): ReturnType<TestApp['signedIn']> {
  const user = await addUser(fields);
  const { clock, db } = test.runtime;
  const key = { publicKey: '', counter: 0, transports: [], name: 'Key', createdAt: clock.now() };
  await db.insert(passkeys).values({ ...key, credentialId: user.id, userId: user.id });
  const token = await sessions.issue(user, { address: 'unknown', device: 'unknown', proven: true });
  return { user, headers: { authorization: `Bearer ${token}` } };
}
