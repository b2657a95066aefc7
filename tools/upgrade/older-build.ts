import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { repositoryRoot, say } from '../repository.ts';

const MIGRATIONS = 'server/migrations';
/** The workspaces, which an older build must find in its own versions. */
const OWN_SCOPE = '@dutchbook';
const ALL_THE_SAME = ', so that none is tried, but that processes are replaced and understand each other';

type Locked = { version?: string; dev?: boolean; optional?: boolean; link?: boolean; resolved?: string };
type Lock = { packages: Record<string, Locked> };
type Asked = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };

/** An older state of the repository in a folder of its own; disposing of it removes the folder. */
export type OlderBuild = Disposable & { serverProgram: string };

/**
 * The newest commit of this branch whose database lacks something of today's, else the oldest that has the same. One whose
 * packages cannot be installed was never a version that ran, nor any before it. Throws where there is no git history.
 */
export function findOlderCommit(): string {
  let older = 'HEAD';
  for (const commit of git('rev-list', '--first-parent', 'HEAD').split('\n')) {
    const more = migrationsSince(commit);
    if (more === null || !isInstallable(commit)) break;
    older = commit;
    if (more > 0) break;
  }
  return older;
}

/** How many migrations this build has more; null where none leads here from the database of that commit. */
function migrationsSince(commit: string): number | null {
  const today = readdirSync(join(repositoryRoot, MIGRATIONS)).filter(isMigration).sort();
  const first = git('hash-object', `${MIGRATIONS}/${today[0]}`);
  const migrations = git('ls-tree', commit, `${MIGRATIONS}/`).split('\n').filter(isMigration);
  return migrations.some((each) => each.includes(first)) ? today.length - migrations.length : null;
}

/** Whether its lock file holds what its packages ask for, without which npm installs nothing. */
function isInstallable(commit: string): boolean {
  const { packages } = JSON.parse(git('show', `${commit}:package-lock.json`)) as { packages: Record<string, Asked> };
  const workspaces = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
  return workspaces.every(([path, locked]) => {
    const asked = JSON.parse(git('show', `${commit}:${posix.join(path, 'package.json')}`)) as Asked;
    const names = ({ dependencies, devDependencies }: Asked) => ({ ...devDependencies, ...dependencies });
    return isDeepStrictEqual(names(asked), names(locked));
  });
}

/**
 * Checks the commit out beside this repository, with packages to run its server from its sources. Throws where its
 * database began with another first migration.
 */
export function checkOutBuild(commit: string): OlderBuild {
  const more = migrationsSince(commit);
  if (more === null) throw new Error(`${commit} has another first migration: no version leads from it to this one.`);
  const named = git('log', '-1', '--format=%h of %cs, "%s"', commit);
  const folder = join(mkdtempSync(join(tmpdir(), 'dutchbook-older-')), 'build');
  git('worktree', 'add', '--detach', folder, commit);
  const build = {
    serverProgram: join(folder, 'server/src/main.ts'),
    [Symbol.dispose]: () => void git('worktree', 'remove', '--force', folder),
  };
  try {
    say(`The older build is ${named}. This one has ${more} migrations more${more === 0 ? ALL_THE_SAME : ''}.`);
    if (hasPackagesOf(folder)) linkPackages(folder);
    else installPackages(folder);
    return build;
  } catch (error) {
    build[Symbol.dispose]();
    throw error;
  }
}

function isMigration(path: string): boolean {
  return path.endsWith('.sql');
}

/** Whether what the older server runs on is installed here, in the same versions. */
function hasPackagesOf(folder: string): boolean {
  const read = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as Lock).packages;
  const wanted = read(join(folder, 'package-lock.json'));
  const installed = read(join(repositoryRoot, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, dev, optional, link }]) => {
    const isInstalled = path.includes('node_modules/') && !link;
    if (!isInstalled || dev || (optional && !installed[path])) return true;
    return installed[path]?.version === version;
  });
}

/** Every package is this repository's, but for the workspaces themselves. */
function linkPackages(folder: string): void {
  const here = join(repositoryRoot, 'node_modules');
  const there = join(folder, 'node_modules');
  mkdirSync(join(there, OWN_SCOPE), { recursive: true });
  for (const name of readdirSync(here).filter((each) => each !== OWN_SCOPE && !each.startsWith('.'))) {
    symlinkSync(join(here, name), join(there, name));
  }
  for (const name of readdirSync(join(here, OWN_SCOPE))) {
    if (existsSync(join(folder, name))) symlinkSync(join(folder, name), join(there, OWN_SCOPE, name));
  }
}

function installPackages(folder: string): void {
  say('Installing the packages of the older build: they are not those of this one.');
  const how = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', how, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed for the older build, for the reason printed above.');
}

/** What git answers, without the end of the line. Throws with its own words. */
function git(...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', words, { cwd: repositoryRoot, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  const reason = (error?.message ?? stderr).trim();
  throw new Error(`The older build is checked out of this repository's git history, and git says: ${reason}`);
}
