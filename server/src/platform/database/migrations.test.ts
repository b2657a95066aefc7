import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { is } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { Client, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { explainFailedStart } from '../../explain-failed-start.ts';
import { migrationsFolder } from '../../folders.ts';
import { migrate } from './migrations.ts';
import { emptyTestDatabase, freshTestDatabase } from './test-server.fixture.ts';

const COLUMNS = `select table_name, column_name, data_type from information_schema.columns
  where table_schema = 'public' order by 1, 2`;
const END_THE_WAITING = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query ilike '%create table%'`;

/** A pool whose connections the test may break. */
function poolOn(url: string): Pool {
  const pool = new Pool({ connectionString: url });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

/** Migrates until one of the later tables is to be made, which another process is making, and is killed while it waits. */
async function migrateUntilKilled(url: string): Promise<void> {
  const rival = new Client({ connectionString: url });
  await rival.connect();
  await rival.query('begin; create table notifications (id integer)');
  const [doomed, killer] = [poolOn(url), poolOn(url)];
  const migrating = migrate(doomed).then(
    () => 'migrated',
    () => 'broken off',
  );
  while ((await killer.query(END_THE_WAITING)).rowCount === 0) await sleep(20);
  expect(await migrating).toBe('broken off');
  await rival.query('rollback');
  await rival.end();
  await Promise.all([doomed.end(), killer.end()]);
}

describe('migrating', () => {
  it('leaves nothing half done when it is killed, and is whole when it runs again', async () => {
    const [interrupted, whole] = await Promise.all([emptyTestDatabase(), freshTestDatabase()]);
    await migrateUntilKilled(interrupted.url);
    const [left, model] = [poolOn(interrupted.url), poolOn(whole.url)];
    expect((await left.query(COLUMNS)).rows).toEqual([]);
    await migrate(left);
    expect((await left.query(COLUMNS)).rows).toEqual((await model.query(COLUMNS)).rows);
    await Promise.all([left.end(), model.end()]);
    await Promise.all([interrupted.drop(), whole.drop()]);
  });

  it('refuses the database of a version that none leads from in one sentence, and takes what a newer one has migrated', async () => {
    const { url, drop } = await freshTestDatabase();
    const pool = poolOn(url);
    const carriedOut = (at: string) =>
      pool.query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of another version', ${at})`);
    await carriedOut(String(Date.now()));
    await migrate(pool);
    await carriedOut('(select min(created_at) - 1 from drizzle.__drizzle_migrations)');
    const refused = await migrate(pool).catch((error: unknown) => error);
    expect(explainFailedStart(refused)).toMatch(
      /^The database is of an older version, .*start the version that made it\.$/,
    );
    await pool.end();
    await drop();
  });

  it('makes the tables that the code names, and its snapshot says the same', async () => {
    const folder = path.join(import.meta.dirname, '../..');
    const files = globSync('**/table.ts', { cwd: folder });
    const named: Record<string, unknown> = Object.assign(
      {},
      ...(await Promise.all(files.map((file) => import(path.join(folder, file))))),
    );
    const [last = '', ...older] = globSync('*_snapshot.json', { cwd: path.join(migrationsFolder, 'meta') })
      .toSorted()
      .reverse();
    // Only the last one is compared with: each is six thousand lines of JSON.
    expect(older).toEqual([]);
    const snapshot = JSON.parse(readFileSync(path.join(migrationsFolder, 'meta', last), 'utf8'));
    expect(await generateMigration(snapshot, generateDrizzleJson(named))).toEqual([]);

    const { url, drop } = await freshTestDatabase();
    const pool = poolOn(url);
    const tables = Object.values(named).filter((one) => is(one, PgTable));
    expect(tables.length).toBeGreaterThan(15);
    const indexes = (await pool.query('select indexname from pg_indexes')).rows.map(({ indexname }) => indexname);
    for (const table of tables) {
      await drizzle(pool).select().from(table).limit(0);
      expect(indexes).toEqual(expect.arrayContaining(getTableConfig(table).indexes.map(({ config }) => config.name)));
    }
    await pool.end();
    await drop();
  });
});
