import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findBinaries } from './binaries.ts';
import { findUnprivilegedUser, type SystemUser } from './unprivileged-user.ts';

const READY = /database system is ready to accept (read-only )?connections/;
const ATTEMPTS_AT_A_FREE_PORT = 3;

const SETTINGS = ['max_connections=200'];
/** For a server whose data nobody will miss: nothing waits for the disk. */
const THROW_AWAY_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A PostgreSQL server that lives for one test run. */
export interface EmbeddedServer {
  /** Connection string of its superuser on the `postgres` database, for a loopback port. */
  readonly url: string;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/** Where its programs and its data are, and as whom they run. */
export interface Cluster {
  readonly directory: string;
  readonly password: string;
  readonly binaries: string;
  readonly user: SystemUser | undefined;
}

/**
 * Creates a PostgreSQL cluster in a temporary directory and starts it on a free loopback port. As root, which PostgreSQL
 * refuses to run as, everything is handed to an unprivileged user that the machine already has. With `durable` it waits
 * for the disk, as a server with data worth keeping does.
 * Throws with the server's own words when it does not come up.
 */
export async function startEmbeddedServer({ durable = false } = {}): Promise<EmbeddedServer> {
  const cluster = prepareDirectory();
  try {
    await initialise(cluster);
    const { server, port } = await startOnPort(
      cluster,
      'data',
      durable ? SETTINGS : [...SETTINGS, ...THROW_AWAY_SETTINGS],
    );
    return {
      url: addressOf(cluster, port),
      stop: async () => {
        await shutDown(server);
        removeDirectory(cluster);
      },
    };
  } catch (error) {
    removeDirectory(cluster);
    throw error;
  }
}

/** Connection string of its superuser on the `postgres` database. */
export function addressOf({ password }: Cluster, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

export function prepareDirectory(): Cluster {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-postgres-'));
  const user = findUnprivilegedUser();
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const data = join(directory, 'data');
  mkdirSync(data, { mode: 0o700 });
  const installed = findBinaries();
  if (user === undefined) return { directory, password, user, binaries: installed };
  // The repository may lie where only root can look, so the unprivileged user gets a copy of the programs.
  const binaries = join(directory, 'postgresql', 'bin');
  cpSync(dirname(installed), dirname(binaries), { recursive: true, verbatimSymlinks: true });
  for (const path of [directory, passwordFile, data]) chownSync(path, user.uid, user.gid);
  return { directory, password, user, binaries };
}

export async function initialise(cluster: Cluster): Promise<void> {
  const initdb = run(cluster, 'initdb', [
    `--pgdata=${join(cluster.directory, 'data')}`,
    `--pwfile=${join(cluster.directory, 'password')}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // The password is random, so that guessing it is hopeless at any speed, and every connection of a test would pay.
    '--set=scram_iterations=1',
    '--no-sync',
  ]);
  const words = collectWords(initdb);
  if ((await exitCode(initdb)) !== 0) throw new Error(`PostgreSQL's initdb failed:\n${words.join('\n')}`);
}

export interface Started {
  readonly server: ChildProcess;
  readonly port: number;
}

/** Starts a server on the data in this folder of the cluster, at the port given or at a free one. */
export async function startOnPort(
  cluster: Cluster,
  data: string,
  settings: readonly string[],
  givenPort?: number,
): Promise<Started> {
  let lastWords: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_AT_A_FREE_PORT; attempt++) {
    const port = givenPort ?? (await findFreePort());
    const local = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    const all = [...settings, ...local].flatMap((setting) => ['-c', setting]);
    const server = run(cluster, 'postgres', ['-D', join(cluster.directory, data), ...all]);
    process.once('exit', () => server.kill('SIGQUIT'));
    const words = collectWords(server);
    if (await becomesReady(server)) return { server, port };
    lastWords = words;
  }
  throw new Error(`PostgreSQL did not start:\n${lastWords.join('\n')}`);
}

function run(cluster: Cluster, program: 'initdb' | 'postgres', programArguments: string[]): ChildProcess {
  return spawn(join(cluster.binaries, program), programArguments, {
    cwd: cluster.directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' },
    ...(cluster.user === undefined ? {} : cluster.user),
  });
}

function collectWords(program: ChildProcess): readonly string[] {
  const words: string[] = [];
  for (const stream of [program.stdout, program.stderr])
    stream?.on('data', (chunk) => words.push(String(chunk).trim()));
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

function exitCode(program: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    program.once('close', (code) => resolve(code));
    program.once('error', () => resolve(null));
  });
}

/** Asks for PostgreSQL's fast shutdown, which drops the connections tests may have left open. */
export async function shutDown(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = exitCode(server);
  server.kill('SIGINT');
  await ended;
}

export function removeDirectory(cluster: Cluster): void {
  rmSync(cluster.directory, { recursive: true, force: true });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No free loopback port was given.'));
        else resolve(address.port);
      });
    });
  });
}
