import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NoOwnPostgres } from './no-own-postgres.ts';
import { installedPrograms } from './programs.ts';
import type { SystemUser } from './unprivileged-user.ts';

/** Runs, and finds what it reads when it makes a cluster. */
const WORKS = '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"';
const CAN_ENTER = 'cd "$1"';

/**
 * The installed programs; or, where they lie in a folder that `user` may not enter or read, a copy of them in `folder`.
 * @throws NoOwnPostgres when they do not run either way
 */
export function readablePrograms(
  user: SystemUser | undefined,
  folder: string,
  installed = installedPrograms(),
): string {
  if (succeeds(user, WORKS, installed)) return installed;
  if (user === undefined) throw doNotRun(installed);
  const copy = join(folder, `programs-${versionOf(installed)}`);
  if (!existsSync(copy)) copyReadable(installed, copy);
  if (succeeds(user, WORKS, copy)) return copy;
  throw doNotRun(copy);
}

export function canEnter(user: SystemUser, folder: string): boolean {
  return succeeds(user, CAN_ENTER, folder);
}

function succeeds(user: SystemUser | undefined, script: string, argument: string): boolean {
  const { status } = spawnSync('sh', ['-c', script, 'sh', argument], { cwd: '/', stdio: 'ignore', ...user });
  return status === 0;
}

function doNotRun(programs: string): NoOwnPostgres {
  return new NoOwnPostgres(`The PostgreSQL in ${programs} does not run on this machine.`);
}

function versionOf(programs: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(programs), 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** Readable by all users of the machine, whatever the umask they were installed under; under another name until it is whole. */
function copyReadable(from: string, to: string): void {
  const unfinished = `${to}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
  const names = readdirSync(unfinished, { recursive: true, encoding: 'utf8' });
  for (const path of [unfinished, ...names.map((name) => join(unfinished, name))]) {
    const stats = lstatSync(path);
    if (stats.isDirectory()) chmodSync(path, 0o755);
    else if (stats.isFile()) chmodSync(path, (stats.mode & 0o100) === 0 ? 0o644 : 0o755);
  }
  renameSync(unfinished, to);
}
