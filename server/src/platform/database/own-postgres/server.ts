import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { addressOf, type Cluster, dataOf, findFreePort, reasonIn, spawnServer } from './cluster.ts';
import { endLeftoverServer } from './leftover.ts';
import { NoOwnPostgres } from './no-own-postgres.ts';

/**
 * For a desk on a laptop. Whatever ends within the server ends all of it, so that there is one way in which it starts again.
 * Nothing of a statement is written to its log.
 */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=60',
  'shared_buffers=64MB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  'timezone=UTC',
  'restart_after_crash=off',
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_checkpoints=off',
];

const START_AGAIN_MS = 200;
const START_AGAIN_MAX_MS = 5000;
/** One that ends sooner has not got over what ended the one before. */
const STEADY_MS = 10_000;
/** A pool says that it has ended before its connections have. */
const GOODBYES_MS = 1000;
const ASK_AGAIN_MS = 20;
const WORDS_MAX = 2000;
const WRONG_PASSWORD = '28P01';

export type RunningServer = { url: string; stop: () => Promise<void> };

/** `ended` resolves with how it ended. */
type Started = { process: ChildProcess; at: number; ended: Promise<string>; hasEnded: () => boolean };

/**
 * Starts the server on a free loopback port and, should it end, again and again on the same. It ends with this process,
 * however that ends, unless it is killed. @throws NoOwnPostgres when it does not start at first
 */
export async function keepServerRunning(cluster: Cluster, password: string, log: Logger): Promise<RunningServer> {
  const port = await findFreePort();
  const url = addressOf(password, port);
  await endLeftoverServer(dataOf(cluster));
  let server = startServer(cluster, port);
  const end = () => void server.process.kill('SIGINT');
  process.once('exit', end);
  const stopping = new AbortController();
  const { signal } = stopping;

  const keepRunning = async () => {
    let wait = START_AGAIN_MS;
    for (let how = await server.ended; !signal.aborted; how = await server.ended) {
      if (performance.now() - server.at > STEADY_MS) wait = START_AGAIN_MS;
      if (wait === START_AGAIN_MS)
        log.error({ how, said: lastWords(cluster) }, 'own PostgreSQL ended, it is started again until it stays');
      await pause(wait, undefined, { signal }).catch(() => {});
      wait = Math.min(2 * wait, START_AGAIN_MAX_MS);
      await endLeftoverServer(dataOf(cluster));
      if (signal.aborted) return;
      server = startServer(cluster, port);
    }
  };
  const stop = async () => {
    stopping.abort();
    // Takes no new connections, and ends with the last one.
    server.process.kill('SIGTERM');
    const late = setTimeout(end, GOODBYES_MS);
    await server.ended;
    clearTimeout(late);
    process.off('exit', end);
  };
  try {
    await untilItAnswers(url, server, cluster);
  } catch (error) {
    await stop();
    throw error;
  }
  const kept = keepRunning();
  return { url, stop: () => stop().then(() => kept) };
}

/** Its log is a file: it goes on when this process is killed, and never waits for it. Where none can be made it has no log. */
function startServer(cluster: Cluster, port: number): Started {
  const log = openForWords(cluster);
  const output = log ?? 'ignore';
  const started = spawnServer(cluster, [...SETTINGS, `port=${port}`], ['ignore', output, output]);
  if (log !== null) closeSync(log);
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    started.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    started.once('error', (error) => resolve(error.message));
  }).finally(() => {
    hasEnded = true;
  });
  return { process: started, at: performance.now(), ended, hasEnded: () => hasEnded };
}

function logOf({ folder }: Cluster): string {
  return join(folder, 'log');
}

function openForWords(cluster: Cluster): number | null {
  try {
    return openSync(logOf(cluster), 'w', 0o600);
  } catch {
    return null;
  }
}

function lastWords(cluster: Cluster): string {
  try {
    return readFileSync(logOf(cluster), 'utf8').slice(-WORDS_MAX).trim();
  } catch {
    return '';
  }
}

async function untilItAnswers(url: string, server: Started, cluster: Cluster): Promise<void> {
  for (let refusal = await refusalOf(url); refusal !== null; refusal = await refusalOf(url)) {
    if (refusal === WRONG_PASSWORD)
      throw new NoOwnPostgres(`The database in ${cluster.folder} has another password than database-password.`);
    if (server.hasEnded())
      throw new NoOwnPostgres(`PostgreSQL does not start on ${cluster.folder} (${reasonIn(lastWords(cluster))}).`);
    await pause(ASK_AGAIN_MS);
  }
}

/** Why it does not take a connection now; null where it does. */
async function refusalOf(connectionString: string): Promise<string | null> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
