import { openLog } from '@dutchbook/server/platform/runtime/log.ts';
import { sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { endsItsCaller, givenOf } from './example-calls.fixture.ts';
import { operationsOf, requestOf } from './operations.ts';
import { openScene, PASSWORD, type Person, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

const API_TOKEN = /dbk_[\w-]{43}/g;

/** Secrets that are nothing but themselves: wherever one of them appears, it got out. */
const SECRETS = {
  secretKey: 'canary-of-the-secret-key-0123456789abcdef',
  privateKey: `0x${'c0ffee42'.repeat(8)}`,
  relayerKey: 'canary-of-the-relayer',
  nodeKey: 'canary-of-the-node',
  botToken: '1:canary-of-the-bot',
  password: 'canary-of-a-password',
  shortOne: 'canary!',
};

const VARIABLES = {
  SECRET_KEY: SECRETS.secretKey,
  POLYMARKET_PRIVATE_KEY: SECRETS.privateKey,
  POLYMARKET_RELAYER_KEY: SECRETS.relayerKey,
  POLYMARKET_RPC_URLS: `http://127.0.0.1:9/${SECRETS.nodeKey}`,
};

it('lets no secret into an answer, the log or the database, whatever is called and goes wrong', async () => {
  const logged: string[] = [];
  const log = openLog({ logLevel: 'trace' }, { write: (line: string) => void logged.push(line) });
  await using product = await openWholeProduct({ variables: VARIABLES, log });
  const scene = await openScene(product);
  const token = await scene.resetToken();
  const { token: apiToken } = await scene.apiToken();
  const secondFactor = await secondFactorOf(product, scene.people.other);
  const called = await product.inject({
    url: '/api/v1/users/me/api-tokens',
    headers: { authorization: `Bearer ${apiToken}` },
  });
  expect(called.statusCode).toBe(403);
  const answers = [...(await answersToSecrets(product, scene, token)), ...(await answersToEverything(product, scene))];
  const { config } = product.runtime;
  log.error(
    { err: new Error('It broke', { cause: new Error('as well') }), config, headers: scene.people.user.headers },
    'x',
  );
  const places = { answers: answers.join('\n'), log: logged.join(''), database: await dumpOf(product) };
  expect(places.log).toContain('It broke');
  expect(places.database).toContain(scene.people.user.email);
  // That of the one call that makes one.
  expect([...places.answers.matchAll(API_TOKEN)]).toHaveLength(1);
  expect(places.log + places.database).not.toMatch(API_TOKEN);
  const sessions = Object.values(scene.people).map(({ headers }) => headers.authorization.slice('Bearer '.length));
  const secrets = [...Object.values(SECRETS), token, apiToken, ...secondFactor, ...sessions];
  const found = Object.entries(places).flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in the ${place}`),
  );
  expect(found).toEqual([]);
});

/** Sets an authenticator up and proves it, rightly and wrongly. @returns what only the answers that made it have shown */
async function secondFactorOf(product: WholeProduct, { headers }: Person): Promise<string[]> {
  const ask = async (what: string, payload: object) => {
    const url = `/api/v1/users/me/second-factor/${what}`;
    return (await product.inject({ method: 'POST', url, headers, payload })).json<Record<string, unknown>>();
  };
  const secret = String((await ask('start', { password: PASSWORD })).secret);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: product.runtime.clock.now() });
  const codes = (await ask('confirm', { code })).recovery_codes as string[];
  expect(codes).toHaveLength(10);
  for (const given of [code, codes[0], codes[0], 'no code']) await ask('prove', { code: given });
  return [secret, ...codes, ...codes.map((each) => each.replaceAll('-', ''))];
}

/** Each operation once, as it should be, by a superuser. */
async function answersToEverything(product: WholeProduct, scene: Scene): Promise<string[]> {
  const answers: string[] = [];
  for (const operation of await operationsOf(product.http)) {
    const given = await givenOf(operation, scene);
    const { people } = endsItsCaller(operation) ? await openScene(product) : scene;
    const { body } = await product.inject(requestOf(operation, { ...given, headers: people.superuser.headers }));
    answers.push(body);
  }
  return answers;
}

/** Calls that hand a secret over, rightly and wrongly. */
async function answersToSecrets(product: WholeProduct, { people }: Scene, token: string): Promise<string[]> {
  const { user, superuser } = people;
  const { botToken: bot_token, password, shortOne } = SECRETS;
  const ask = (by: Person, method: 'POST' | 'PATCH', url: string, payload: object) =>
    product.inject({ method, url: `/api/v1${url}`, headers: by.headers, payload });
  const signIn = (secret: string) =>
    product.inject({
      method: 'POST',
      url: '/api/v1/login/access-token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username: user.email, password: secret }).toString(),
    });
  const replies = [
    await ask(superuser, 'POST', '/notifications/telegram/config', { bot_token, chat_id: '1', enabled: true }),
    await ask(superuser, 'POST', '/notifications/telegram/config', { bot_token: `${bot_token}/` }),
    await ask(superuser, 'POST', '/users/', { email: 'new@example.com', password }),
    await ask(superuser, 'POST', '/users/', { email: 'not an email', password: shortOne }),
    await ask(superuser, 'PATCH', `/users/${people.other.id}`, { password }),
    await ask(user, 'PATCH', '/users/me/password', { current_password: password, new_password: password }),
    await ask(user, 'PATCH', '/users/me/password', { current_password: PASSWORD, new_password: shortOne }),
    await ask(user, 'PATCH', '/users/me/password', { current_password: PASSWORD, new_password: [password] }),
    await ask(user, 'POST', '/reset-password/', { token, new_password: shortOne }),
    await ask(user, 'POST', `/items/?token=${token}`, { title: '' }),
    await signIn(shortOne),
    await signIn('\0'),
  ];
  return replies.map(({ body }) => body);
}

/** Every row of every table as text, as a dump has it. */
async function dumpOf({ runtime: { db } }: WholeProduct): Promise<string> {
  const tables = await db.execute(sql`select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'pgboss')`);
  const texts: string[] = [];
  for (const { name } of rowsOf(tables)) {
    const rows = await db.execute(sql.raw(`select t::text as row from ${name} as t`));
    texts.push(...rowsOf(rows).map(({ row }) => String(row)));
  }
  return texts.join('\n');
}

function rowsOf(result: unknown): Record<string, unknown>[] {
  return (result as { rows: Record<string, unknown>[] }).rows;
}
