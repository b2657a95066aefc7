import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.ts';
import { buildWhenOlder } from './when-older.ts';

/** The programs of the product as one file each, from the top folder. */
export const SERVER_PROGRAM = 'server/dist/main.js';
export const EXCHANGE_PROGRAM = 'exchange/dist/main.js';
/** The thread that the server's embedded database runs in. */
const THREAD_PROGRAM = 'server/dist/embedded-thread.js';

const SOURCES = [
  'server/src',
  'exchange/src',
  'venues/src',
  'engine/src',
  'contract/src',
  'units/src',
  'tools/start/rolldown.config.ts',
  'package-lock.json',
];

/** A migrated embedded database without rows, which a new data folder starts as a copy of, and what it comes of. */
const CLUSTER = 'server/dist/cluster';
const CREATE_CLUSTER = 'server/src/world/create-cluster.ts';
const CLUSTER_SOURCES = [CREATE_CLUSTER, 'server/src/world/migrations.ts', 'server/migrations', 'package-lock.json'];

/** Everything that `npm start` runs, as far as it is missing or older than its sources. Returns false when that failed. */
export function buildProgramsWhenNeeded(): boolean {
  return bundleWhenNeeded() && layOutClusterWhenNeeded();
}

/**
 * Puts the server and the exchange into one file each when one is missing or older than a source: of the five seconds of
 * processor time a start cost from some 1,850 files, half went into finding them.
 */
function bundleWhenNeeded(): boolean {
  return buildWhenOlder(
    'the server and the exchange',
    [SERVER_PROGRAM, THREAD_PROGRAM, EXCHANGE_PROGRAM],
    SOURCES,
    () => {
      const rolldown = join(repositoryRoot, 'node_modules/rolldown/bin/cli.mjs');
      const { status } = spawnSync(process.execPath, [rolldown, '-c', 'tools/start/rolldown.config.ts'], {
        cwd: repositoryRoot,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      return status === 0;
    },
  );
}

/** Laying out a database and migrating it takes eight seconds of processor time, copying one next to none. */
function layOutClusterWhenNeeded(): boolean {
  return buildWhenOlder('an empty database', [`${CLUSTER}/PG_VERSION`], CLUSTER_SOURCES, () => {
    const cluster = join(repositoryRoot, CLUSTER);
    const unfinished = `${cluster}.new`;
    for (const folder of [cluster, unfinished]) rmSync(folder, { recursive: true, force: true });
    const { status } = spawnSync(process.execPath, [join(repositoryRoot, CREATE_CLUSTER), unfinished], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status === 0) renameSync(unfinished, cluster);
    return status === 0;
  });
}
