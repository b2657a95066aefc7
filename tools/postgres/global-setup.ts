import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startEmbeddedServer } from './embedded-server.ts';

/**
 * Vitest's global setup for tests that also run on a real PostgreSQL: one server for the whole run, its address in
 * TEST_DATABASE_URL. The tests create databases of their own there, their names beginning with TEST_DATABASE_PREFIX. A
 * TEST_DATABASE_URL that is already set is used as it is, and left without those databases.
 */
export default async function setUpPostgres(): Promise<(() => Promise<void>) | undefined> {
  // Another project of the same run was here first.
  if (process.env.TEST_DATABASE_PREFIX) return undefined;
  const prefix = `dutchbook_test_${randomBytes(4).toString('hex')}`;
  process.env.TEST_DATABASE_PREFIX = prefix;
  const given = process.env.TEST_DATABASE_URL;
  if (given) return () => dropDatabases(given, prefix);
  const server = await startEmbeddedServer();
  process.env.TEST_DATABASE_URL = server.url;
  return () => server.stop();
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}
