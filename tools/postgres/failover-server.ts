import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf, dataOf } from '@dutchbook/server/platform/database/own-postgres/cluster.ts';
import pg from 'pg';
import {
  makeCluster,
  removeFolder,
  type Started,
  shutDown,
  startOnPort,
  type TemporaryCluster,
} from './embedded-server.ts';

/** Nothing waits for the disk, but for the standby: what it has not got is lost when it takes over. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'wal_retrieve_retry_interval=200ms'];

/** A PostgreSQL server with a standby, behind one address that always leads to the one of them that writes. */
export interface FailoverServer {
  /** Connection string of its superuser on the `postgres` database. */
  readonly url: string;
  /** Makes the database unreachable, for at least so long and until this resolves. */
  restart(awayMs: number): Promise<void>;
  /** The server dies, and the standby takes over with all that was committed. Once only. */
  failOver(): Promise<void>;
  /** Stops both and deletes their data. */
  stop(): Promise<void>;
}

export async function startFailoverServer(): Promise<FailoverServer> {
  const cluster = await makeCluster();
  const copy = { ...cluster, folder: join(cluster.folder, 'standby') };
  let primary = await startOnPort(cluster, SETTINGS);
  let written = cluster;
  const standby = await startStandby(cluster, copy, primary.port);
  await onServer(cluster, primary.port, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()');
  const door = await openDoor(primary.port);
  return {
    url: addressOf(cluster.password, door.port),
    async restart(awayMs) {
      door.close();
      await shutDown(primary.server);
      await pause(awayMs);
      primary = await startOnPort(written, SETTINGS, primary.port);
      door.leadTo(primary.port);
    },
    async failOver() {
      door.close();
      primary.server.kill('SIGQUIT');
      await once(primary.server, 'close');
      await onServer(cluster, standby.port, 'select pg_promote()');
      primary = standby;
      written = copy;
      door.leadTo(standby.port);
    },
    async stop() {
      door.end();
      await shutDown(standby.server);
      await shutDown(primary.server);
      removeFolder(cluster);
    },
  };
}

/** A copy of the data as it is, which then follows the server it was copied from. */
async function startStandby(cluster: TemporaryCluster, copy: TemporaryCluster, primaryPort: number): Promise<Started> {
  const client = await connected(cluster, primaryPort);
  await client.query("select pg_backup_start('standby', true)");
  const [from, to] = [dataOf(cluster), dataOf(copy)];
  mkdirSync(copy.folder, { mode: 0o711 });
  const copied = spawnSync('cp', ['-a', from, to]);
  if (copied.status !== 0) throw new Error(`The data could not be copied: ${copied.stderr}`);
  const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()');
  await client.end();
  rmSync(join(to, 'postmaster.pid'), { force: true });
  const way = `host=127.0.0.1 port=${primaryPort} user=postgres password=${cluster.password}`;
  const files = {
    backup_label: rows[0]?.label ?? '',
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = '${way}'\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(to, name), text);
    if (cluster.user !== undefined) chownSync(join(to, name), cluster.user.uid, cluster.user.gid);
  }
  return startOnPort(copy, SETTINGS);
}

async function connected(cluster: TemporaryCluster, port: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: addressOf(cluster.password, port) });
  await client.connect();
  return client;
}

async function onServer(cluster: TemporaryCluster, port: number, ...statements: string[]): Promise<void> {
  const client = await connected(cluster, port);
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** What an address that moves, or a proxy, does for a real database. */
async function openDoor(firstPort: number) {
  let target: number | null = firstPort;
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    if (target === null) {
      socket.destroy();
      return;
    }
    const onward = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    target = null;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    close,
    leadTo: (port: number) => {
      target = port;
    },
    end: () => {
      close();
      server.close();
    },
  };
}
