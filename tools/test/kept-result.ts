import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../repository.ts';
import type { Tally } from './tally.ts';

/** Beside the folders themselves, what decides how their tests end. */
const AROUND = ['package-lock.json', 'tsconfig.json', 'vitest.config.ts'];
const NOT_SOURCE = /(^|[\\/])(node_modules|dist|\.cache)([\\/]|$)|\.tsbuildinfo$/;
const ENVIRONMENT = /^MARKET_DATA_DIR$|_RUNS$|_SEQUENCES$|^CHAIN_/;
const RECORDED_DATA = '../shared/data';

/** How the tests of folders ended that need nothing but what stands in them, kept until any of that changes. */
export class KeptResult {
  readonly #file: string;

  constructor(folders: readonly string[], root = repositoryRoot) {
    const name = `${hashOf(folders, root)}.json`;
    this.#file = join(root, 'node_modules/.cache/dutchbook-tests', name);
  }

  /** Undefined where nothing was kept, or it was of other content. */
  read(): Tally | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** Keeps `tally` in place of every other where all has passed. */
  keep(tally: Tally): void {
    if (tally.failures.length > 0) return;
    rmSync(dirname(this.#file), { recursive: true, force: true });
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(tally));
  }
}

function hashOf(folders: readonly string[], root: string): string {
  const hash = createHash('sha256');
  const isThere = existsSync(join(root, process.env.MARKET_DATA_DIR ?? RECORDED_DATA));
  const variables = Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name));
  hash.update(JSON.stringify([process.version, process.platform, process.arch, isThere, variables.sort()]));
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = [...AROUND.map((file) => join(root, file)), ...inFolders];
  for (const file of files.filter((file) => !NOT_SOURCE.test(file.slice(root.length))).sort()) {
    if (!existsSync(file)) continue;
    const content = readFileSync(file);
    hash.update(`\n${file.slice(root.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
