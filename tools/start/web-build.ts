import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { repositoryRoot, say } from '../repository.ts';

const BUILT_FOLDER = 'web/dist';
const BUILT_PAGE = `${BUILT_FOLDER}/index.html`;
const COMPRESSIBLE = /\.(js|css|svg|json|txt)$/;
/** What the built pages are made of. */
const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'contract/src',
  'units/src',
  'package-lock.json',
];

/**
 * Builds the web pages when they are missing or older than a source, and says so. Returns false when the build failed;
 * Vite has then printed why.
 */
export function buildWebWhenNeeded(): boolean {
  if (!existsSync(join(repositoryRoot, 'web/index.html'))) {
    say('There are no web pages to build: web/index.html is missing.');
    return true;
  }
  if (isWebBuilt()) return true;
  say('Building the web pages.');
  const startedAt = performance.now();
  const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js');
  const outcome = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(repositoryRoot, 'web'),
    stdio: 'inherit',
  });
  if (outcome.status !== 0) return false;
  compressFiles(join(repositoryRoot, BUILT_FOLDER));
  say(`Web pages built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  return true;
}

/** Puts a smaller copy beside every text file, once, so that the server need not make it for every browser. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    COMPRESSIBLE.test(each),
  )) {
    const file = join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

function isWebBuilt(): boolean {
  const page = join(repositoryRoot, BUILT_PAGE);
  if (!existsSync(page)) return false;
  const builtAtMs = statSync(page).mtimeMs;
  return SOURCES.every((source) => newestChangeMs(join(repositoryRoot, source)) <= builtAtMs);
}

/** When the newest file or folder under a path last changed; a folder changes when a file in it is deleted. */
function newestChangeMs(path: string): number {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChangeMs(join(path, name))));
}
