import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { openSession } from './session-store.ts';
import { tokenKey } from './tokens.ts';

type Claims = Record<string, unknown>;

const SESSION = '00000000-0000-4000-8000-000000000001';

let app: TestApp;
let user: UserRow;
let key: Uint8Array;
let nowSeconds: number;

beforeAll(async () => {
  app = await openTestApp();
  user = await app.addUser();
  const { db, clock } = app.test.runtime;
  await openSession(db, { id: SESSION, user, now: clock.now(), from: { address: '127.0.0.1', device: 'test' } });
  key = tokenKey(app.test.runtime.config.secretKey);
  nowSeconds = app.test.runtime.clock.now() / 1000;
});
afterAll(() => app[Symbol.asyncDispose]());

const claims = (changed: Claims = {}): Claims => ({
  sub: user.id,
  jti: SESSION,
  epoch: 0,
  iss: 'dutchbook',
  aud: 'dutchbook-api',
  iat: nowSeconds,
  exp: nowSeconds + 600,
  ...changed,
});
const signed = (changed: Claims = {}, header: Claims = {}, secret = key) =>
  new SignJWT(claims(changed)).setProtectedHeader({ alg: 'HS256', ...header }).sign(secret);
const parts = async () => (await signed()).split('.') as [string, string, string];
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function ask(authorization: string) {
  const reply = await app.http.inject({ url: '/api/v1/users/me', headers: { authorization } });
  return [reply.statusCode, reply.statusCode === 200 ? null : reply.json().detail];
}

const forgeries: Record<string, () => Promise<string> | string> = {
  'signed with another key': () => signed({}, {}, new TextEncoder().encode('x'.repeat(32))),
  'signed with SECRET_KEY itself': () => signed({}, {}, new TextEncoder().encode(app.test.runtime.config.secretKey)),
  'with an empty signature': async () => (await parts()).with(2, '').join('.'),
  'with a changed signature': async () => {
    const [header, payload, signature] = await parts();
    return [header, payload, signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`].join('.');
  },
  'with a changed payload': async () => (await parts()).with(1, encoded(claims({ sub: 'somebody else' }))).join('.'),
  'of algorithm none': () => new UnsecuredJWT(claims()).encode(),
  'of algorithm none, signature kept': async () => (await parts()).with(0, encoded({ alg: 'none' })).join('.'),
  'of algorithm HS512': () =>
    new SignJWT(claims()).setProtectedHeader({ alg: 'HS512' }).sign(Buffer.concat([key, key])),
  'of algorithm RS256': () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256' })
      .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
  'that names its own key by jwk': () =>
    signed({}, { jwk: { kty: 'oct', k: encoded('mine') } }, new TextEncoder().encode('mine'.repeat(8))),
  'with a critical extension': async () => (await parts()).with(0, encoded({ alg: 'HS256', crit: ['exp'] })).join('.'),
  'that has expired': () => signed({ exp: nowSeconds - 1 }),
  'that never expires': () => signed({ exp: undefined }),
  'that is not valid yet': () => signed({ nbf: nowSeconds + 600 }),
  'of another issuer': () => signed({ iss: 'somebody' }),
  'for another audience': () => signed({ aud: 'something' }),
  'without an audience': () => signed({ aud: undefined }),
  'without a subject': () => signed({ sub: undefined }),
  'without a session': () => signed({ jti: undefined }),
  'without an epoch': () => signed({ epoch: undefined }),
  'of a session that was never begun': () => signed({ jti: '00000000-0000-4000-8000-000000000002' }),
  'of an epoch in text': () => signed({ epoch: '0' }),
  'of a later epoch': () => signed({ epoch: 1 }),
  'of a user who is gone': () => signed({ sub: '00000000-0000-4000-8000-000000000000' }),
  'of a user whose id is no id': () => signed({ sub: "x' or '1'='1" }),
  'longer than any token': async () => `${await signed()}${'A'.repeat(10_000)}`,
  'that is no token': () => 'x',
};

describe('a token', () => {
  it('that is genuine opens the calls', async () => {
    expect(await ask(`Bearer ${await signed()}`)).toEqual([200, null]);
  });

  it.each(Object.entries(forgeries))('%s opens nothing', async (_, forge) => {
    expect(await ask(`Bearer ${await forge()}`)).toEqual([403, 'Could not validate credentials']);
  });

  it.each(['', 'Basic YWRhOng=', 'Bearer', 'Token abc'])('is missing in "%s"', async (authorization) => {
    expect(await ask(authorization)).toEqual([401, 'Not authenticated']);
  });
});
