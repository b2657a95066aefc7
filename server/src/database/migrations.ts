import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateWith } from 'drizzle-orm/node-postgres/migrator';
import type { Pool, PoolClient } from 'pg';
import { migrationsFolder } from '../folders.ts';
import { LOCKS } from './locks.ts';

/** A database whose tables were made before the first migration there is: none leads from them to today's. */
export class DatabaseTooOld extends Error {
  override readonly name = 'DatabaseTooOld';
}

/** @throws DatabaseTooOld */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    await refuseTooOld(client);
    await migrateWith(drizzle(client), { migrationsFolder });
    await client.query('select pg_advisory_unlock($1)', [LOCKS.migrations]);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** What a newer version has carried out is no hindrance: this one runs beside it. */
async function refuseTooOld(client: PoolClient): Promise<void> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as is_there");
  if (!rows[0].is_there) return;
  const [first] = readMigrationFiles({ migrationsFolder });
  const older = 'select 1 from drizzle.__drizzle_migrations where created_at < $1 limit 1';
  if ((await client.query(older, [first?.folderMillis])).rowCount === 0) return;
  throw new DatabaseTooOld(
    'The database is of an older version, from which there is no upgrade: name an empty one (DATABASE_URL, or without it DATA_DIR), or start the version that made it.',
  );
}
