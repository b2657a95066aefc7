/** A folder with the data of one PostgreSQL server, and how its programs are run on them. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { NoOwnPostgres } from './no-own-postgres.ts';
import type { SystemUser } from './unprivileged-user.ts';

export type Cluster = {
  /** Holds the folder `data`. */
  readonly folder: string;
  /** Holds `bin`, `lib` and `share`. */
  readonly programs: string;
  /** As whom they run, where that is not who this process is. */
  readonly user: SystemUser | undefined;
};

/** A user id that has no name, which initdb insists on, can be given one in a namespace of its own, where the system lets it. */
const AS_NOBODY = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];
const HAS_NO_NAME = /could not look up effective user ID/;

const UNFINISHED = 'unfinished-';

const INITDB = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  // The password is random, so that guessing it is hopeless at any speed, and every connection would pay.
  '--set=scram_iterations=1',
];

export const newPassword = (): string => randomBytes(24).toString('hex');

export function dataOf({ folder }: Cluster): string {
  return join(folder, 'data');
}

/** Connection string of the superuser. */
export function addressOf(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** Lays the data out, under another name until they are whole. @throws NoOwnPostgres with initdb's own words */
export async function initialise(cluster: Cluster, password: string, options: readonly string[] = []): Promise<void> {
  const { folder, user } = cluster;
  for (const left of readdirSync(folder).filter((name) => name.startsWith(UNFINISHED)))
    rmSync(join(folder, left), { recursive: true, force: true });
  // Under a name of its own: what a product that was killed has begun may still be going on.
  const [unfinished, passwordFolder] = [mkdtempSync(join(folder, UNFINISHED)), mkdtempSync(join(folder, UNFINISHED))];
  const passwordFile = join(passwordFolder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [unfinished, passwordFolder, passwordFile])
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  const words = [join(cluster.programs, 'bin', 'initdb'), `--pgdata=${unfinished}`, `--pwfile=${passwordFile}`];
  const command = [...words, ...INITDB, ...options];
  let outcome = await outcomeOf(cluster, command);
  const lacksName = outcome.code !== 0 && HAS_NO_NAME.test(outcome.said);
  if (lacksName) outcome = await outcomeOf(cluster, [...AS_NOBODY, ...command]);
  rmSync(passwordFolder, { recursive: true });
  if (outcome.code !== 0) throw cannotInitialise(cluster, lacksName, reasonIn(outcome.said));
  renameSync(unfinished, dataOf(cluster));
  flushFolder(folder);
}

function cannotInitialise({ folder, user }: Cluster, lacksName: boolean, reason: string): NoOwnPostgres {
  if (!lacksName) return new NoOwnPostgres(`PostgreSQL cannot keep its data in ${folder} (${reason}).`);
  const uid = user?.uid ?? process.getuid?.();
  return new NoOwnPostgres(
    `PostgreSQL wants a name for user id ${uid}, which this machine's user database lacks, and with one from unshare it fails too (${reason}).`,
  );
}

/** The line that says why, of all that a program of PostgreSQL has said before it ended; who was turned away at its start is not why. */
export function reasonIn(said: string): string {
  const [reason] = /(error|FATAL|PANIC):(?! *the database system is).*/.exec(said) ?? [];
  return reason ?? said.trim().split('\n').at(-1) ?? '';
}

/** The server on the data. */
export function spawnServer(cluster: Cluster, settings: readonly string[], stdio: StdioOptions): ChildProcess {
  const command = [join(cluster.programs, 'bin', 'postgres'), '-D', dataOf(cluster)];
  return run(cluster, [...command, ...settings.flatMap((setting) => ['-c', setting])], stdio);
}

/**
 * None of this process's variables goes along: among them are secrets. It has a process group of its own: a terminal's Ctrl-C
 * does not reach a server before its users have ended.
 */
function run({ user }: Cluster, [program = '', ...words]: readonly string[], stdio: StdioOptions): ChildProcess {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  return spawn(program, words, { cwd: '/', env, stdio, detached: true, ...user });
}

/** Where this process ends first, the program is ended with it, and whatever that has begun. */
function outcomeOf(cluster: Cluster, command: readonly string[]): Promise<{ code: number | null; said: string }> {
  const program = run(cluster, command, ['ignore', 'pipe', 'pipe']);
  const { pid } = program;
  if (pid !== undefined) {
    const end = () => void process.kill(-pid, 'SIGKILL');
    process.once('exit', end);
    program.once('exit', () => process.off('exit', end));
  }
  let said = '';
  for (const stream of [program.stdout, program.stderr])
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  return new Promise((resolve) => {
    program.once('close', (code) => resolve({ code, said }));
    program.once('error', (error) => resolve({ code: null, said: said + error.message }));
  });
}

/** A new name in it is on the disk from then on. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function findFreePort(): Promise<number> {
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
