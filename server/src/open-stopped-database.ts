import { existsSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { openOwnPostgres } from './platform/database/own-postgres/own-postgres.ts';

type Opened = AsyncDisposable & { url: string };

/**
 * The product's database for a command that reads it: its own one in DATA_DIR, which is started for that, or the one that DATABASE_URL
 * names. @throws where there is none, or FolderInUse where the product runs on it
 */
export async function openStoppedDatabase(): Promise<Opened> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, [Symbol.asyncDispose]: async () => {} };
  const dataDir = path.resolve(process.env.DATA_DIR ?? './data');
  if (!existsSync(path.join(dataDir, 'database')))
    throw new Error(`There is no database in ${dataDir}: DATA_DIR names where it is.`);
  const { url, stop } = await openOwnPostgres(dataDir, pino({ level: 'error' }));
  return { url, [Symbol.asyncDispose]: stop };
}
