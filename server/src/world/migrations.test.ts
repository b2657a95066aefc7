import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { migratePostgres } from './migrations.ts';
import { emptyTestDatabase, freshTestDatabase } from './test-server.fixture.ts';
import { testDatabases } from './test-world.ts';

const COLUMNS = `select table_name, column_name, data_type from information_schema.columns
  where table_schema = 'public' order by 1, 2`;
const END_THE_WAITING = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query ilike '%create table%'`;

/** A pool whose connections the test may break; nobody minds. */
function poolOn(url: string): Pool {
  const pool = new Pool({ connectionString: url });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

/** Migrates until one of the later tables is to be made, which somebody else is making, and is killed while it waits. */
async function migrateUntilKilled(url: string): Promise<void> {
  const rival = new Client({ connectionString: url });
  await rival.connect();
  await rival.query('begin; create table notifications (id integer)');
  const [doomed, killer] = [poolOn(url), poolOn(url)];
  const migrating = migratePostgres(doomed).then(
    () => 'migrated',
    () => 'broken off',
  );
  while ((await killer.query(END_THE_WAITING)).rowCount === 0) await sleep(20);
  expect(await migrating).toBe('broken off');
  await rival.query('rollback');
  await rival.end();
  await Promise.all([doomed.end(), killer.end()]);
}

describe.each(testDatabases.filter((kind) => kind === 'postgres'))('migrating %s', () => {
  it('leaves nothing half done when it is killed, and is whole when it runs again', async () => {
    const [interrupted, whole] = await Promise.all([emptyTestDatabase(), freshTestDatabase()]);
    await migrateUntilKilled(interrupted.url);
    const [left, model] = [poolOn(interrupted.url), poolOn(whole.url)];
    expect((await left.query(COLUMNS)).rows).toEqual([]);
    await migratePostgres(left);
    expect((await left.query(COLUMNS)).rows).toEqual((await model.query(COLUMNS)).rows);
    await Promise.all([left.end(), model.end()]);
    await Promise.all([interrupted.drop(), whole.drop()]);
  });
});
