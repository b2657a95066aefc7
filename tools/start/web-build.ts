import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { repositoryRoot } from '../repository.ts';
import { buildWhenOlder } from './when-older.ts';

const BUILT_FOLDER = 'web/dist';
const BUILT_PAGE = `${BUILT_FOLDER}/index.html`;
const COMPRESSIBLE = /\.(js|css|svg|json|txt)$/;
/** What the built pages are made of. */
const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/without-documentation-plugin.ts',
  'web/without-unused-plugin.ts',
  'contract/src',
  'units/src',
  'package-lock.json',
];

/**
 * Builds the web pages when they are missing or older than a source, and says so. Returns false when the build failed;
 * Vite has then printed why.
 */
export function buildWebWhenNeeded(): boolean {
  return buildWhenOlder('the web pages', [BUILT_PAGE], SOURCES, () => {
    const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js');
    const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(repositoryRoot, 'web'),
      stdio: 'inherit',
    });
    if (status === 0) compressFiles(join(repositoryRoot, BUILT_FOLDER));
    return status === 0;
  });
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
