import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { createAccessToken } from '@dutchbook/contract/login.ts';
import * as z from 'zod/mini';
import { type Running, run } from './process.ts';

export const SUPERUSER = { username: 'admin@example.com', password: 'correct horse battery' };

type Given<E extends Endpoint> = {
  params?: z.output<E['params']>;
  query?: Partial<z.output<E['query']>>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** `detail`: why it was refused, or what holds though it is not stored yet. */
export type Answer<E extends Endpoint> = { status: number; detail: string; reply: z.output<E['reply']> };

/**
 * The product's server in a process of its own, from its first moment: it does not listen yet. `program`: another build
 * of it than this repository's.
 */
export function launchProduct(
  exchangeUrl: string,
  dataDir: string,
  env: Record<string, string> = {},
  program = 'server/dist/main.js',
): Running {
  return run(program, {
    PORT: '0',
    DATA_DIR: dataDir,
    VENUE: 'simulated',
    POLYMARKET_CLOB_URL: exchangeUrl,
    POLYMARKET_GAMMA_URL: `${exchangeUrl}/gamma`,
    POLYMARKET_WS_URL: `${exchangeUrl.replace('http', 'ws')}/ws`,
    FIRST_SUPERUSER: SUPERUSER.username,
    FIRST_SUPERUSER_PASSWORD: SUPERUSER.password,
    // What tests place is as large as they say.
    FIRST_SIZE_POLICY: 'smallest',
    DISCOVERY: 'off',
    RATE_LIMIT: 'off',
    API_DOCUMENT: 'when_asked',
    LOG_LEVEL: 'warn',
    ...env,
  });
}

/** The product's server in a process of its own, and a signed-in caller that speaks the contract. */
export function startProduct(exchangeUrl: string, dataDir: string, env: Record<string, string> = {}) {
  return signedInProduct(launchProduct(exchangeUrl, dataDir, env));
}

/** Resolves when the product listens and its superuser is signed in. */
export async function signedInProduct(running: Running) {
  const [, url] = await running.line(/(http:\/\/127\.0\.0\.1:\d+)/);
  if (!url) throw new Error('the product did not say where it listens');
  return { ...(await signedInCaller(url, SUPERUSER)), running };
}

export type Product = Awaited<ReturnType<typeof startProduct>> & { running: Running };

/** Calls the product at `url` as the contract says, as a signed-in user. */
export async function signedInCaller(url: string, credentials: typeof SUPERUSER) {
  return callerWith(url, await signIn(url, credentials));
}

export function callerWith(url: string, token: string) {
  /** One call as the web makes it; never throws on a status. */
  async function call<E extends Endpoint>(endpoint: E, given: Given<E> = {}): Promise<Answer<E>> {
    const answer = await fetch(addressOf(url, endpoint, given), {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    });
    const body: unknown = await answer.json();
    if (!answer.ok || answer.status === 202)
      return { status: answer.status, detail: detailOf(body), reply: undefined as z.output<E['reply']> };
    return {
      status: answer.status,
      detail: '',
      reply: decoded(endpoint.reply, body) as z.output<E['reply']>,
    };
  }

  return { url, token, call };
}

/** An older build beside this one, which `npm run test:upgrade` names, leaves out what it does not know: it counts as null. */
const { MANY_OLDER_PROGRAM } = process.env;

function decoded(reply: Endpoint['reply'], body: unknown): unknown {
  const read = z.safeDecode(reply, body as never);
  if (read.success) return read.data;
  if (MANY_OLDER_PROGRAM === undefined) throw read.error;
  for (const { path } of read.error.issues) setNull(body, path);
  return z.decode(reply, body as never);
}

function setNull(within: unknown, path: readonly PropertyKey[]): void {
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), within);
  if (last !== undefined && !Reflect.has(Object(holder), last)) Reflect.set(Object(holder), last, null);
}

export type Caller = Awaited<ReturnType<typeof signedInCaller>>;

async function signIn(url: string, credentials: typeof SUPERUSER): Promise<string> {
  const answer = await fetch(`${url}${API_PREFIX}${createAccessToken.path}`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  return z.decode(createAccessToken.reply, (await answer.json()) as never).access_token;
}

function addressOf<E extends Endpoint>(url: string, endpoint: E, given: Given<E>): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String((given.params as Record<string, unknown>)[name]),
  );
  const address = new URL(`${url}${API_PREFIX}${path}`);
  if (given.query !== undefined) {
    const query = z.encode(z.partial(z.object((endpoint.query as z.ZodMiniObject).shape)), given.query) as Record<
      string,
      string
    >;
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
  }
  return address.href;
}

function detailOf(body: unknown): string {
  const { detail, message = '' } = body as { detail?: string | { msg: string }[]; message?: string };
  if (detail === undefined) return message;
  return typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; ');
}
