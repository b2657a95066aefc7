/** What every call that changes something asks of its caller, whatever it changes. */

import { passkeys } from '@dutchbook/server/people/second-factor/table.ts';
import { readUser } from '@dutchbook/server/people/users/store.ts';
import { idempotencyKeys } from '@dutchbook/server/trading/batches/table.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenOf } from './example-calls.fixture.ts';
import { type Operation, operationsOf, requestOf } from './operations.ts';
import { ROLE_MATRIX } from './role-matrix.ts';
import { openScene, type Person, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

/** What stops trading, or shuts a user out. */
const STOPPING = [
  'DELETE /api-tokens/{token_id}',
  'DELETE /users/me/api-tokens/{token_id}',
  'DELETE /users/me/sessions/{session_id}',
  'POST /arbitrage/batches/{batch_id}/cancel',
  'POST /login/log-out',
  'POST /system/disarm',
  'POST /users/me/sessions/end-others',
  'POST /users/{user_id}/end-sessions',
];

/** The calls that set up a second factor, which need none. */
const OWN_ACCOUNT = [
  'DELETE /users/me',
  'DELETE /users/me/passkeys/{credential_id}',
  'PATCH /users/me',
  'PATCH /users/me/password',
  'POST /login/test-token',
  'POST /users/me/passkeys',
  'POST /users/me/passkeys/options',
  'POST /users/me/second-factor/confirm',
  'POST /users/me/second-factor/disable',
  'POST /users/me/second-factor/passkey-options',
  'POST /users/me/second-factor/prove',
  'POST /users/me/second-factor/recovery-codes',
  'POST /users/me/second-factor/start',
];

const WRITES_PER_MINUTE = 600;

let product: WholeProduct;
let scene: Scene;
let writes: Operation[];
beforeAll(async () => {
  product = await openWholeProduct({ variables: { RATE_LIMIT: 'on' } });
  scene = await openScene(product);
  const isWithoutSession = ({ name }: Operation) => ROLE_MATRIX[name]?.[0] !== 401;
  const operations = await operationsOf(product.http);
  writes = operations.filter((operation) => operation.method !== 'GET' && !isWithoutSession(operation));
});
afterAll(() => product[Symbol.asyncDispose]());

/** A new session of theirs. */
async function headersOf({ id }: Person, proven = false): Promise<Record<string, string>> {
  const user = await readUser(product.runtime.db, id);
  if (user === null) throw new Error(`there is no user ${id}`);
  const token = await product.sessions.issue(user, { address: 'unknown', device: 'unknown', proven });
  return { authorization: `Bearer ${token}` };
}

/** The names of those that `caller` is not refused in these words. */
async function notRefused(caller: Person, status: number, detail: string): Promise<string[]> {
  const names: string[] = [];
  let headers = await headersOf(caller);
  for (const operation of writes) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    const params = Object.fromEntries(inPath.map(({ name }) => [name, ANY_ID]));
    const reply = await product.inject(requestOf(operation, { params, headers }));
    if (reply.statusCode === status && reply.json<{ detail: unknown }>().detail === detail) continue;
    names.push(operation.name);
    // What was done may have ended the session that it was done in.
    headers = await headersOf(caller);
  }
  return names.sort();
}

const ANY_ID = '00000000-0000-4000-8000-000000000000';

it('counts to what one user may change in a minute, selling and redeeming too, but for stopping', async () => {
  const { superuser } = scene.people;
  const change = { method: 'POST', url: '/api/v1/items/', headers: superuser.headers, payload: {} } as const;
  await Promise.all(Array.from({ length: WRITES_PER_MINUTE }, () => product.http.inject(change)));
  expect(await notRefused(superuser, 429, 'Too many attempts. Try again later.')).toEqual(STOPPING);
});

it('refuses an idempotency key that was used for another request, wherever one is taken', async () => {
  const fresh = await openScene(product);
  const { user, superuser } = fresh.people;
  const others = { key: 'used', requestHash: 'of another request', createdAt: product.runtime.clock.now() };
  for (const { id: userId } of [user, superuser])
    await product.runtime.db.insert(idempotencyKeys).values({ ...others, userId, batchId: ANY_ID });
  const taking = writes.filter(({ parameters }) => parameters.some(({ name }) => name === 'idempotency-key'));
  expect(taking.length).toBeGreaterThanOrEqual(10);
  const carriedOut: string[] = [];
  for (const operation of taking) {
    const given = await givenOf(operation, fresh);
    const simulates = operation.parameters.some(({ name }) => name === 'simulate');
    const query = { ...given.query, ...(simulates && { simulate: 'false' }) };
    const { headers } = ROLE_MATRIX[operation.name]?.[1] === 200 ? user : superuser;
    const under = { ...headers, 'idempotency-key': 'used' };
    const reply = await product.inject(requestOf(operation, { ...given, query, headers: under }));
    if (reply.statusCode !== 422 || !reply.body.includes('This key was used for another request'))
      carriedOut.push(`${operation.name}: ${reply.statusCode} ${reply.body}`);
  }
  expect(carriedOut).toEqual([]);
});

it('takes the second factor that all users are asked for, but for stopping and the own account', async () => {
  const { superuser: chief } = (await openScene(product)).people;
  const key = { publicKey: '', counter: 0, transports: [], name: 'Key', createdAt: product.runtime.clock.now() };
  await product.runtime.db.insert(passkeys).values({ ...key, credentialId: chief.id, userId: chief.id });
  const set = await product.inject({
    ...{ method: 'PUT', url: '/api/v1/system-settings/security', headers: await headersOf(chief, true) },
    payload: { second_factor_for_all: true },
  });
  expect(set.statusCode).toBe(200);
  const { superuser } = (await openScene(product)).people;
  const detail = 'Set up a second factor under Settings before you change anything.';
  expect(await notRefused(superuser, 409, detail)).toEqual([...STOPPING, ...OWN_ACCOUNT].sort());
});
