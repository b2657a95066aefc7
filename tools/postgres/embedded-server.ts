import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  addressOf,
  type Cluster,
  findFreePort,
  initialise,
  newPassword,
  spawnServer,
} from '@dutchbook/server/platform/database/own-postgres/cluster.ts';
import { readablePrograms } from '@dutchbook/server/platform/database/own-postgres/readable-programs.ts';
import { findUnprivilegedUser } from '@dutchbook/server/platform/database/own-postgres/unprivileged-user.ts';

const READY = /database system is ready to accept (read-only )?connections/;
const ATTEMPTS_AT_A_FREE_PORT = 3;

/** Tests open thousands of connections, and to prove the password by exchanging hashes takes a client a millisecond each time. */
const PLAIN_PASSWORDS = ['--auth=password'];

const SETTINGS = ['max_connections=200'];
/** For a server whose data is thrown away: nothing waits for the disk. */
const THROW_AWAY_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A PostgreSQL server that lives for one test run. */
export interface EmbeddedServer {
  /** Connection string of its superuser on the `postgres` database, for a loopback port. */
  readonly url: string;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/** A cluster in a temporary folder, and the password of its superuser. */
export type TemporaryCluster = Cluster & { readonly password: string };

/**
 * Creates a PostgreSQL cluster in a temporary directory and starts it on a free loopback port. With `durable` it waits
 * for the disk, as a server with data worth keeping does.
 * Throws with the server's own words when it does not come up.
 */
export async function startEmbeddedServer({ durable = false } = {}): Promise<EmbeddedServer> {
  const cluster = await makeCluster(durable ? [] : PLAIN_PASSWORDS);
  try {
    const { server, port } = await startOnPort(cluster, durable ? SETTINGS : [...SETTINGS, ...THROW_AWAY_SETTINGS]);
    return {
      url: addressOf(cluster.password, port),
      stop: async () => {
        await shutDown(server);
        removeFolder(cluster);
      },
    };
  } catch (error) {
    removeFolder(cluster);
    throw error;
  }
}

/** An empty cluster, readable by its owner alone, as root to an unprivileged user that the machine already has. */
export async function makeCluster(initdbOptions: readonly string[] = []): Promise<TemporaryCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'dutchbook-postgres-'));
  chmodSync(folder, 0o711);
  const user = findUnprivilegedUser();
  const password = newPassword();
  const cluster = { folder, user, password, programs: readablePrograms(user, folder) };
  await initialise(cluster, password, ['--no-sync', ...initdbOptions]);
  return cluster;
}

export interface Started {
  readonly server: ChildProcess;
  readonly port: number;
}

/** Starts a server on the data of the cluster, at the port given or at a free one. */
export async function startOnPort(cluster: Cluster, settings: readonly string[], givenPort?: number): Promise<Started> {
  let lastWords: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_AT_A_FREE_PORT; attempt++) {
    const port = givenPort ?? (await findFreePort());
    const local = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    const server = spawnServer(cluster, [...settings, ...local], ['ignore', 'ignore', 'pipe']);
    process.once('exit', () => server.kill('SIGQUIT'));
    const words = collectWords(server);
    if (await becomesReady(server)) return { server, port };
    lastWords = words;
  }
  throw new Error(`PostgreSQL did not start:\n${lastWords.join('\n')}`);
}

function collectWords(program: ChildProcess): readonly string[] {
  const words: string[] = [];
  program.stderr?.on('data', (chunk) => words.push(String(chunk).trim()));
  program.on('error', (error) => words.push(error.message));
  return words;
}

function becomesReady(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    if (server.stderr !== null) {
      createInterface({ input: server.stderr }).on('line', (line) => {
        if (READY.test(line)) resolve(true);
      });
    }
    server.once('exit', () => resolve(false));
    server.once('error', () => resolve(false));
  });
}

/** Asks for PostgreSQL's fast shutdown, which drops the connections tests may have left open. */
export async function shutDown(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await ended;
}

export function removeFolder({ folder }: Cluster): void {
  rmSync(folder, { recursive: true, force: true });
}
