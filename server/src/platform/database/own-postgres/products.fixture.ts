/** Products as far as their own PostgreSQL, which tests start, kill and ask. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { openOwnPostgres } from './own-postgres.ts';
import type { SystemUser } from './unprivileged-user.ts';

export const PRODUCT = fileURLToPath(new URL('./own-postgres.fixture.ts', import.meta.url));

export type Product = {
  pid: number;
  /** Where its database answers, or why there is none. */
  said: string;
  /** Resolves when it has ended. */
  end: (signal: NodeJS.Signals) => Promise<void>;
};

export type Products = ReturnType<typeof openProducts>;

/** In a folder of their own, which all users of the machine may enter. */
export function openProducts() {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook own postgres '));
  chmodSync(folder, 0o755);
  const elsewhere = path.join(folder, 'elsewhere');
  let stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    for (const stop of stops) await stop();
    stops = [];
  };
  return {
    folder,
    elsewhere,
    /** A process of its own, under a umask that lets no other user read what it makes. */
    async start(dataDir: string, { as, before = '' }: { as?: SystemUser; before?: string } = {}): Promise<Product> {
      const script = `umask 077; ${before} exec "$@"`;
      const command = ['-c', script, 'sh', process.execPath, PRODUCT, dataDir, elsewhere];
      const product = spawn('sh', command, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'], ...as });
      const end = (signal: NodeJS.Signals) => endProcess(product, signal);
      stops.push(() => end('SIGTERM'));
      const [said] = await once(createInterface({ input: product.stdout }), 'line');
      return { pid: product.pid ?? 0, said, end };
    },
    /** Opens it in this process, which takes less time. */
    async open(dataDir: string, log = pino({ level: 'silent' })) {
      const own = await openOwnPostgres(dataDir, log, elsewhere);
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= own.stop());
      stops.push(stop);
      return { url: own.url, stop };
    },
    stopAll,
    remove: () => stopAll().then(() => rmSync(folder, { recursive: true })),
  };
}

export async function endProcess(product: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (product.exitCode !== null || product.signalCode !== null) return;
  const ended = once(product, 'exit');
  product.kill(signal);
  await ended;
}

export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}

export const dataIn = (dataDir: string) => path.join(dataDir, 'database', 'data');

/** The process id of the PostgreSQL server on the data. */
export const serverOn = (dataDir: string) =>
  Number.parseInt(readFileSync(path.join(dataIn(dataDir), 'postmaster.pid'), 'utf8'), 10);
