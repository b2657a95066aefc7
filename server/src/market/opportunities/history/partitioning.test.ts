import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateWith } from 'drizzle-orm/node-postgres/migrator';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrationsFolder } from '../../../folders.ts';
import { migrate } from '../../../platform/database/migrations.ts';
import { emptyTestDatabase } from '../../../platform/database/test-server.fixture.ts';

type Journal = { entries: { tag: string }[] };

/** Migrates as far as a version does whose price history was one table. */
async function migrateToOneTable(pool: Pool): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-migrations-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal;
  const end = journal.entries.findIndex(({ tag }) => tag.endsWith('_price_points_by_day'));
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  await migrateWith(drizzle(pool), { migrationsFolder: folder });
  rmSync(folder, { recursive: true });
}

const FILL = (latest: string) => `
  insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, content_hash)
    select gen_random_uuid(), now(), now(), '[]', 1, true, n::text from generate_series(1, 3) n;
  insert into opportunity_prices (opportunity_id, edited_at, triggered, error_count)
    select id, now(), false, 0 from opportunities;
  insert into price_points (opportunity_id, at, target_price, triggered, is_edge)
    select id, ${latest} - n * interval '1 hour', n, false, n % 7 = 0 from opportunities, generate_series(0, 199) n`;
const SUM = `select count(*)::int as count, sum(target_price)::int as prices, count(*) filter (where is_edge)::int as edges,
  max(at)::text as last from price_points`;
/** As versions write that know of no partitions. */
const WRITE = `insert into price_points select opportunity_id, $1::timestamptz, 7, 7, 7, true, true from opportunity_prices
  on conflict (opportunity_id, at) do update set triggered = excluded.triggered
  returning tableoid::regclass::text as partition`;

let pool: Pool;
let drop: () => Promise<void>;
beforeEach(async () => {
  const { url, drop: dropDatabase } = await emptyTestDatabase();
  pool = new Pool({ connectionString: url });
  drop = dropDatabase;
  await migrateToOneTable(pool);
});
afterEach(() => pool.end().then(drop));

async function partitionsAt(at: string): Promise<unknown[]> {
  return (await pool.query(WRITE, [at])).rows.map((row: { partition: string }) => row.partition);
}

it.each([
  ['now()', new Date(Date.now() + 2 * 86_400_000).toISOString()],
  ["timestamptz '2199-05-01T23:59:59Z'", '2199-05-02T00:00:00Z'],
])('a history whose last point is at %s stays whole, and goes on in partitions behind it', async (latest, behind) => {
  await pool.query(FILL(latest));
  const before = (await pool.query(SUM)).rows;
  await migrate(pool);
  expect((await pool.query(SUM)).rows).toEqual(before);
  const last = (before[0] as { last: string }).last;
  expect(await partitionsAt(last)).toEqual(Array.from({ length: 3 }, () => 'price_points_before'));
  expect(await partitionsAt(behind)).toEqual(Array.from({ length: 3 }, () => 'price_points_default'));
  await pool.query('delete from opportunities');
  expect((await pool.query(SUM)).rows).toMatchObject([{ count: 0 }]);
});

it('a migration that is broken off leaves the one table, and is carried out by the next start', async () => {
  await pool.query(FILL('now()'));
  const before = (await pool.query(SUM)).rows;
  await pool.query('create table price_points_default ()');
  await expect(migrate(pool)).rejects.toThrow();
  expect((await pool.query(SUM)).rows).toEqual(before);
  const kind = "select relkind from pg_class where oid = 'price_points'::regclass";
  expect((await pool.query(kind)).rows).toEqual([{ relkind: 'r' }]);
  await pool.query('drop table price_points_default');
  await migrate(pool);
  expect((await pool.query(SUM)).rows).toEqual(before);
  expect((await pool.query(kind)).rows).toEqual([{ relkind: 'p' }]);
});
