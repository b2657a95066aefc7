import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from './cluster.ts';
import { POINTER } from './place.ts';

const PORT_LINE = 3;

/** Where the own PostgreSQL of a product that runs on `dataDir` is reached; null where none runs there. */
export function findRunningPostgres(dataDir: string): string | null {
  const inDataDir = join(dataDir, 'database');
  const pointer = join(inDataDir, POINTER);
  const folder = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : inDataDir;
  const [pidFile, passwordFile] = [join(folder, 'data', 'postmaster.pid'), join(dataDir, 'database-password')];
  if (!existsSync(pidFile) || !existsSync(passwordFile)) return null;
  const port = Number(readFileSync(pidFile, 'utf8').split('\n')[PORT_LINE]);
  return port > 0 ? addressOf(readFileSync(passwordFile, 'utf8').trim(), port) : null;
}
