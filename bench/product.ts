/** The product's server as `npm start` runs it, in a process of its own, on an empty database of its own, and its signed-in superuser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { runProgram } from '@dutchbook/e2e/product/process.ts';
import { SUPERUSER, signedInCaller } from '@dutchbook/e2e/product/product.ts';
import { freshTestDatabase } from '@dutchbook/server/platform/database/test-server.fixture.ts';
import { CHILD_ENV } from '@dutchbook/tools/start/child.ts';
import { buildProgramsWhenNeeded, SERVER_PROGRAM } from '@dutchbook/tools/start/program-build.ts';
import { Client } from 'pg';

/** `variables` name the database and a data folder, both removed at the end. No venue answers. */
export type Database = AsyncDisposable & { url: string; variables: Record<string, string> };

export async function openDatabase(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'dutchbook-bench-'));
  const { url, drop } = await freshTestDatabase();
  return {
    url,
    variables: {
      DATA_DIR: folder,
      DATABASE_URL: url,
      PORT: '0',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: 'off',
      FIRST_SUPERUSER: SUPERUSER.username,
      FIRST_SUPERUSER_PASSWORD: SUPERUSER.password,
      VENUE: 'polymarket',
      POLYMARKET_CLOB_URL: 'http://127.0.0.1:9',
      POLYMARKET_GAMMA_URL: 'http://127.0.0.1:9/gamma',
      POLYMARKET_WS_URL: 'ws://127.0.0.1:9/ws',
    },
    [Symbol.asyncDispose]: async () => {
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection that ends with its scope. */
export async function connect({ url }: Database): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** A call of the API by path; throws on any refusal, with its words. A reply without a body is null. */
export type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** `kill` ends it as a power cut does. */
export type Server = AsyncDisposable & {
  url: string;
  api: string;
  pid: number;
  authorization: string;
  call: Call;
  kill: () => Promise<void>;
};

/** Resolves when it listens; throws where it ends before. */
export async function startServer(variables: Record<string, string>): Promise<Server> {
  if (!buildProgramsWhenNeeded()) throw new Error('the server could not be built');
  const running = runProgram(process.execPath, [SERVER_PROGRAM], { ...CHILD_ENV, ...variables });
  const end = async (signal: NodeJS.Signals) => {
    running.kill(signal);
    await running.ended;
  };
  const [, url = ''] = await running.line(/Dutchbook listens on (http:\S+\d)/);
  const authorization = `Bearer ${(await signedInCaller(url, SUPERUSER)).token}`;
  return {
    ...{ url, api: `${url}${API_PREFIX}`, pid: running.pid, authorization },
    call: callerOf(`${url}${API_PREFIX}`, authorization),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** `fill` puts rows into the database before the server starts on it. */
export async function openProduct(
  variables: Record<string, string> = {},
  fill: (database: Database) => Promise<unknown> = async () => {},
): Promise<Server & { database: Database }> {
  const database = await openDatabase();
  await fill(database);
  const server = await startServer({ ...database.variables, ...variables });
  return {
    ...server,
    database,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

export function callerOf(api: string, authorization: string): Call {
  return async (method, path, body) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${api}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

/** Every row of a list, page by page. */
export async function listAll<Row>(call: Call, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const asked = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&skip=${rows.length}`;
    const { data } = (await call('GET', asked)) as { data: Row[] };
    rows.push(...data);
    if (data.length < PAGE) return rows;
  }
}

const PAGE = 1000;

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}
