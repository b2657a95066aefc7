import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateWith } from 'drizzle-orm/node-postgres/migrator';
import type { Pool, PoolClient } from 'pg';
import { migrationsFolder } from '../../folders.ts';
import { LOCKS } from './locks.ts';

/** A database whose tables were made before the first migration there is: none leads from them to today's. */
export class DatabaseTooOld extends Error {
  override readonly name = 'DatabaseTooOld';
}

/** @throws DatabaseTooOld */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if (!(await isMigrated(client))) {
      await client.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
      await migrateWith(drizzle(client), { migrationsFolder });
      await client.query('select pg_advisory_unlock($1)', [LOCKS.migrations]);
    }
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

let ofThisVersion: { first: number; last: number } | null = null;

/**
 * Nothing is left to do then, which needs no lock: they are carried out in one transaction. What a newer version has
 * carried out is no hindrance: this one runs beside it. @throws DatabaseTooOld
 */
async function isMigrated(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as is_there");
  if (!rows[0].is_there) return false;
  ofThisVersion ??= readEnds();
  const carriedOut = await client.query<{ is_older: boolean | null; is_last: boolean | null }>(
    'select min(created_at) < $1 as is_older, max(created_at) >= $2 as is_last from drizzle.__drizzle_migrations',
    [ofThisVersion.first, ofThisVersion.last],
  );
  const { is_older = null, is_last = null } = carriedOut.rows[0] ?? {};
  if (is_older !== true) return is_last === true;
  throw new DatabaseTooOld(
    'The database is of an older version, from which there is no upgrade: name an empty one (DATABASE_URL, or without it DATA_DIR), or start the version that made it.',
  );
}

function readEnds(): { first: number; last: number } {
  const times = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  return { first: Math.min(...times), last: Math.max(...times) };
}
