/** Databases on the PostgreSQL server of the test run, copied from one that was migrated: migrating each takes far longer. */
import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { migrate } from './migrations.ts';
import { migrationsHash } from './migrations-hash.fixture.ts';

/** Any lock number not used elsewhere: the first caller makes the template. */
const TEMPLATE_LOCK = 620_311_046;

let template: Promise<string> | null = null;

/** A migrated database of its own, without rows; `drop` ends what is still connected to it. */
export async function freshTestDatabase(): Promise<TestDatabaseOnServer> {
  template ??= makeTemplate();
  return await createDatabase(await template);
}

/** One that is not migrated. */
export async function emptyTestDatabase(): Promise<TestDatabaseOnServer> {
  return await createDatabase('template0');
}

export type TestDatabaseOnServer = { url: string; drop: () => Promise<void> };

async function createDatabase(from: string): Promise<TestDatabaseOnServer> {
  const name = `${process.env.TEST_DATABASE_PREFIX ?? 'dutchbook_test'}_${randomUUID().replaceAll('-', '')}`;
  await onTestServer((client) => client.query(`create database ${name} template ${from}`));
  return {
    url: urlOf(name),
    drop: () => onTestServer((client) => client.query(`drop database ${name} with (force)`)),
  };
}

/** The name of the migrated database, without connections: only such a one can be copied. */
async function makeTemplate(): Promise<string> {
  const name = `dutchbook_template_${migrationsHash()}`;
  await onTestServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`;
      await client.query(`drop database if exists ${unfinished}`);
      await client.query(`create database ${unfinished}`);
      await migrateAt(urlOf(unfinished));
      await client.query(`alter database ${unfinished} rename to ${name}`);
    }
  });
  return name;
}

async function migrateAt(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
}

async function onTestServer(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  await work(client).finally(() => client.end());
}

function urlOf(database: string): string {
  const url = new URL(testServerUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function testServerUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL does not name a PostgreSQL server');
  return url;
}
