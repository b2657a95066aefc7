import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.ts';
import { buildWhenOlder } from './when-older.ts';

/** The programs of the product as one file each, from the top folder. */
export const SERVER_PROGRAM = 'server/dist/main.js';
export const EXCHANGE_PROGRAM = 'exchange/dist/main.js';
/** What the server runs in threads of their own. */
const THREAD_PROGRAMS = ['server/dist/rehearsal.js', 'server/dist/export.js', 'server/dist/writer.js'];

const SOURCES = [
  'server/src',
  'exchange/src',
  'venues/src',
  'engine/src',
  'contract/src',
  'recordings/src',
  'units/src',
  'tools/start/rolldown.config.ts',
  'package-lock.json',
];

/**
 * Puts the server and the exchange into one file each when one is missing or older than a source.
 * docs/decisions.md says what it spares. Returns false when that failed.
 */
export function buildProgramsWhenNeeded(): boolean {
  return buildWhenOlder(
    'the server and the exchange',
    [SERVER_PROGRAM, ...THREAD_PROGRAMS, EXCHANGE_PROGRAM],
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
