import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDataFolder } from './data-folder.ts';

/**
 * The secret kept in `folder` under `name`, made on first use. Only the owner may read the file.
 * @throws when the folder cannot be written.
 */
export function keptSecret(folder: string, name: string, make: () => string): string {
  makeDataFolder(folder);
  const file = path.join(folder, name);
  try {
    writeFileSync(file, `${make()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (!isThere(error)) {
      // A full disk takes the name of a file and not what is in it, which would be taken for the secret the next time.
      rmSync(file, { force: true });
      throw error;
    }
    chmodSync(file, 0o600);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty: remove it, or restore it from a backup.`);
  return secret;
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
