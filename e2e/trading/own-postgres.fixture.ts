/** A PostgreSQL server that one test may stop, freeze and start again as it likes: nobody else has a database on it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '@dutchbook/tools/postgres/binaries.ts';
import { findUnprivilegedUser } from '@dutchbook/tools/postgres/unprivileged-user.ts';
import pg from 'pg';
import { eventually } from '../world/eventually.ts';
import type { DiskUsers } from './small-disk.fixture.ts';

/**
 * What was committed outlives an abrupt end of the server, though not one of the machine; write-ahead files are small. A
 * server that gives up ends: one that starts anew on a full disk deletes what it has kept and goes on, or hangs for good.
 */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'min_wal_size=2MB',
  'max_wal_size=4MB',
  'shared_buffers=16MB',
  'restart_after_crash=off',
];

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/** Keeps its data in `dataFolder`, which it makes. */
export async function startOwnPostgres(dataFolder: string) {
  const cluster = await makeCluster(dataFolder);
  const { folder, user } = cluster;
  const port = await freePort();
  const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();
  let witness: pg.Client | null = null;
  let processes: readonly number[] = [];

  async function start(): Promise<void> {
    const settings = [...SETTINGS, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    server = cluster.spawnServer(settings.flatMap((each) => ['-c', each]));
    ended = once(server, 'exit');
    witness = await eventually('PostgreSQL answers', () => connected(url));
  }

  /** All that the server consists of; its first process, which would begin others, is stopped meanwhile. */
  async function stoppedProcesses(): Promise<readonly number[]> {
    const first = server?.pid;
    if (first === undefined || witness === null) throw new Error('PostgreSQL was not started');
    signal([first], 'SIGSTOP');
    const { rows } = await witness.query<{ pid: number }>('select pid from pg_stat_activity');
    processes = [first, ...rows.map(({ pid }) => pid)];
    return processes;
  }

  /** As `pg_ctl stop --mode=immediate`. */
  const endAtOnce = () => {
    signal(processes, 'SIGCONT');
    server?.kill('SIGQUIT');
  };
  process.once('exit', endAtOnce);

  await start();
  return {
    url,
    start,
    /** Starts it where it has given up. */
    async startAgain(): Promise<void> {
      if (server === null || server.exitCode !== null || server.signalCode !== null) await start();
    },
    /** Its processes, and who they run as. */
    async users(): Promise<DiskUsers> {
      const found = await stoppedProcesses();
      signal(found, 'SIGCONT');
      return { processes: found, user };
    },
    /** Ends it without a shutdown, as `pg_ctl stop --mode=immediate`; resolves when it is gone. */
    async stopAtOnce(): Promise<void> {
      endAtOnce();
      await ended;
    },
    /** None of its processes runs until they are all thawed. */
    freeze: async () => signal(await stoppedProcesses(), 'SIGSTOP'),
    thaw: async () => signal(processes, 'SIGCONT'),
    /** As `stopAtOnce`, and deletes all but its data. */
    async remove(): Promise<void> {
      endAtOnce();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function makeCluster(dataFolder: string) {
  const user = findUnprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'dutchbook-postgres-'));
  mkdirSync(dataFolder);
  const programs = programsFor(folder, user);
  const password = randomBytes(16).toString('hex');
  const data = join(dataFolder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (user) for (const path of [folder, dataFolder, data, passwordFile]) chownSync(path, user.uid, user.gid);
  const how = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user };
  const where = [`--pgdata=${data}`, `--pwfile=${passwordFile}`, '--username=postgres'];
  const kind = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'];
  await promisify(execFile)(join(programs, 'initdb'), [...where, ...kind], how);
  return {
    folder,
    user,
    password,
    spawnServer: (settings: readonly string[]) =>
      spawn(join(programs, 'postgres'), ['-D', data, ...settings], { ...how, stdio: 'ignore' }),
  };
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended of itself.
    }
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The repository may lie where only root can look, so another user gets a copy of the programs. */
function programsFor(folder: string, user: object | undefined): string {
  const installed = findBinaries();
  if (user === undefined) return installed;
  const copied = join(folder, 'postgresql', 'bin');
  cpSync(dirname(installed), dirname(copied), { recursive: true, verbatimSymlinks: true });
  return copied;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free loopback port was given');
  return address.port;
}
