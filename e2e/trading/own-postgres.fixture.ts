/** A PostgreSQL server that one test may stop, freeze and start again as it likes: no other test has a database on it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addressOf,
  findFreePort,
  initialise,
  newPassword,
  spawnServer,
} from '@dutchbook/server/platform/database/own-postgres/cluster.ts';
import { readablePrograms } from '@dutchbook/server/platform/database/own-postgres/readable-programs.ts';
import { findUnprivilegedUser } from '@dutchbook/server/platform/database/own-postgres/unprivileged-user.ts';
import pg from 'pg';
import { eventually } from '../product/eventually.ts';
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
  const port = await findFreePort();
  const url = addressOf(cluster.password, port);
  let server: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();
  let witness: pg.Client | null = null;
  let processes: readonly number[] = [];

  async function start(): Promise<void> {
    const settings = [...SETTINGS, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    server = spawnServer(cluster, settings, 'ignore');
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
      return { processes: found, user: cluster.user };
    },
    /** Ends it without a shutdown, as `pg_ctl stop --mode=immediate`; resolves when it is gone. */
    async stopAtOnce(): Promise<void> {
      endAtOnce();
      await ended;
    },
    /** As `kill -9` of all its processes; resolves when it is gone. */
    async kill(): Promise<void> {
      signal(await stoppedProcesses(), 'SIGKILL');
      await ended;
    },
    /** None of its processes runs until they are all thawed. */
    freeze: async () => signal(await stoppedProcesses(), 'SIGSTOP'),
    thaw: async () => signal(processes, 'SIGCONT'),
    /** As `stopAtOnce`, and deletes all but its data. */
    async remove(): Promise<void> {
      endAtOnce();
      await ended;
      rmSync(cluster.programsFolder, { recursive: true });
    },
  };
}

async function makeCluster(folder: string) {
  const user = findUnprivilegedUser();
  mkdirSync(folder, { mode: 0o711 });
  const programsFolder = mkdtempSync(join(tmpdir(), 'dutchbook-postgres-'));
  chmodSync(programsFolder, 0o711);
  const cluster = { folder, user, programs: readablePrograms(user, programsFolder), password: newPassword() };
  await initialise(cluster, cluster.password, ['--no-sync', '--wal-segsize=1']);
  return { ...cluster, programsFolder };
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
