import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgresWith } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePgliteWith } from 'drizzle-orm/pglite/migrator';
import type { Pool } from 'pg';
import { migrationsFolder } from '../folders.ts';

/** Any number that nobody else locks: processes that start together migrate one after the other. */
const MIGRATION_LOCK = 620_311_047;

export async function migratePglite(client: Pick<PGlite, 'query' | 'exec' | 'transaction'>): Promise<void> {
  await migratePgliteWith(drizzlePglite(client as PGlite), { migrationsFolder });
}

export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migratePostgresWith(drizzlePostgres(client), { migrationsFolder });
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
