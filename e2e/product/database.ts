import { randomUUID } from 'node:crypto';
import { freshTestDatabase } from '@dutchbook/server/platform/database/test-server.fixture.ts';
import pg from 'pg';

/** A new, empty database on the test run's PostgreSQL server; the server and all that is on it go with the run. */
export async function freshDatabase(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) throw new Error('TEST_DATABASE_URL is not set: the PostgreSQL of the test run is not there');
  const name = `dutchbook_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A migrated database: a copy of a template, which costs a hundredth of migrating. */
export async function migratedDatabase(): Promise<string> {
  const { url } = await freshTestDatabase();
  return url;
}
