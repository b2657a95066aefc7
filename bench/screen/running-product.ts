import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { createAccessToken } from '@dutchbook/contract/login.ts';

const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** What the product prints when it has started: where the exchange and the desk listen, and the first superuser. */
const STARTED = [
  /The simulated exchange listens on (http:\S+\d)/,
  /First superuser: (\S+) with password (\S+)/,
  /Dutchbook listens on (http:\S+\d)/,
];

/** The whole product as `npm start` runs it, with nothing found by itself unless `discovery` says so, on ports and in a folder of its own, and a signed-in caller of it. */
export async function runProduct({ discovery = 'off' }: { discovery?: 'on' | 'off' } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-bench-'));
  const { PATH, HOME } = process.env;
  const settings = { PORT: '0', EXCHANGE_PORT: '0', DISCOVERY: discovery, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const child = spawn('npm', ['start'], {
    cwd: repositoryRoot,
    env: { PATH, HOME, NO_PROXY: '127.0.0.1,localhost', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (printed.push(line) && STARTED.every((pattern) => printed.some((one) => pattern.test(one)))) break;
  }
  child.stdout.resume();
  const [[exchangeUrl], [username, password], [url]] = STARTED.map((pattern) =>
    (printed.map((line) => pattern.exec(line)).find((match) => match !== null) ?? []).slice(1).map(String),
  ) as [[string], [string, string], [string]];
  const signedIn = await ask(`${url}${API_PREFIX}${createAccessToken.path}`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  });
  const { access_token: token } = signedIn as { access_token: string };

  return {
    url,
    /** Of `npm start`, whose children the exchange and the server are. */
    pid: child.pid ?? 0,
    username,
    password,
    token,
    /** A JSON call of the product; throws on any refusal. */
    call: (method: string, path: string, body?: unknown) =>
      ask(`${url}${API_PREFIX}${path}`, inJson(method, body, { authorization: `Bearer ${token}` })),
    /** A control of the simulated exchange; throws on any refusal. */
    control: (path: string, body?: unknown, method = 'POST') =>
      ask(`${exchangeUrl}/_control/${path}`, inJson(method, body)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type RunningProduct = Awaited<ReturnType<typeof runProduct>>;

function inJson(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method} ${url}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
