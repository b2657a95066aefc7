import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot, say } from '../repository.ts';

const MIGRATIONS = 'server/migrations';
/** The workspaces, which an older build must find in its own versions. */
const OWN_SCOPE = '@dutchbook';

type Locked = { version?: string; dev?: boolean; optional?: boolean; link?: boolean; resolved?: string };
type Lock = { packages: Record<string, Locked> };

/** An older state of the repository in a folder of its own; disposing of it removes the folder. */
export type OlderBuild = Disposable & { serverProgram: string };

/**
 * The newest commit before this one on its branch whose database lacks something of today's. Throws, saying why, where
 * there is no git history or none of its commits is such a one.
 */
export function newestWithFewerMigrations(): string {
  const commits = git('rev-list', '--first-parent', 'HEAD').split('\n');
  const today = readdirSync(join(repositoryRoot, MIGRATIONS)).filter(isMigration).length;
  const found = commits.find((commit) => {
    const count = git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`).split('\n').filter(isMigration).length;
    return count > 0 && count < today;
  });
  if (found !== undefined) return found;
  throw new Error(
    `None of the ${commits.length} commits that git knows here has fewer than today's ${today} migrations. A copy without ` +
      'its history (git clone --depth) has to fetch it first: git fetch --unshallow.',
  );
}

/** Checks the commit out beside this repository, with packages to run its server from its sources. */
export function checkOutBuild(commit: string): OlderBuild {
  const named = git('log', '-1', '--format=%h of %cs, "%s"', commit);
  const folder = join(mkdtempSync(join(tmpdir(), 'dutchbook-older-')), 'build');
  git('worktree', 'add', '--detach', folder, commit);
  const build = {
    serverProgram: join(folder, 'server/src/main.ts'),
    [Symbol.dispose]: () => void git('worktree', 'remove', '--force', folder),
  };
  try {
    say(`The older build is ${named}.`);
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
