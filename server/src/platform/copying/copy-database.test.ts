import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBalances } from '../../trading/ledger/balances.ts';
import { sealEntries } from '../../trading/ledger/seal.ts';
import { verifyBlocks } from '../../trading/ledger/verify.ts';
import { openPostgres } from '../database/database.ts';
import { freshTestDatabase } from '../database/test-server.fixture.ts';
import { testTime } from '../runtime/test-time.ts';
import { copyDatabase } from './copy-database.ts';

const USERS = 5000;

/** Awkward to carry over: more rows than one write takes, line ends, tabs and quotes, microseconds, a number beyond 2^53. */
const FILL = `
  insert into users (id, email, full_name, password_hash, is_superuser, is_active, created_at)
    select gen_random_uuid(), 'p' || n || '@example.com', E'"O''Neil"\\t\\n\\\\' || n, 'hash', false, true,
      timestamptz '2026-06-01T12:00:00.123456Z' + n * interval '1 second' from generate_series(1, ${USERS}) n;
  insert into trading_controls (venue, armed, per_day) values ('simulated', true, 9007199254740993);
  insert into items (id, owner_id, title, created_at) select gen_random_uuid(), id, 'Zwölf ☃', created_at from users limit 7;
  insert into items (id, owner_id, title, created_at) select gen_random_uuid(), id, 'the last', now() from users limit 1`;

const ROWS = `select (select count(*)::int from users) as users, (select count(*)::int from items) as items,
  (select per_day::text from trading_controls) as per_day, (select min(created_at)::text from users) as first,
  (select full_name from users where email = 'p1@example.com') as name`;

const silent = () => {};

type Opened = { url: string; client: Client; close: () => Promise<void> };

async function laidOut(): Promise<Opened> {
  const { url, drop } = await freshTestDatabase();
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
  const client = new Client({ connectionString: url });
  await client.connect();
  return { url, client, close: () => client.end().then(drop) };
}

/** In the middle of a table, after others. */
const BREAK_OFF = `create function break_off() returns trigger language plpgsql as 'begin raise ''no room''; end';
  create trigger break_off before insert on items for each row when (new.title = 'the last') execute function break_off()`;

describe('copying a database', () => {
  let source: Opened;
  let target: Opened;
  beforeEach(async () => {
    [source, target] = await Promise.all([laidOut(), laidOut()]);
    await source.client.query(FILL);
  });
  afterEach(() => Promise.all([source.close(), target.close()]));

  it('goes on where it was broken off, and until then nothing starts on half of it', async () => {
    await target.client.query(BREAK_OFF);
    await expect(copyDatabase(source.url, target.url, silent)).rejects.toThrow('no room');
    expect((await target.client.query(ROWS)).rows).toMatchObject([{ users: USERS, items: 0 }]);
    await target.client.query('drop function break_off cascade');
    const start = () => openPostgres(target.url, testTime().timers, pino({ level: 'silent' }));
    await expect(start()).rejects.toThrow('unfinished copy');
    const said: string[] = [];
    await copyDatabase(source.url, target.url, (line) => said.push(line));
    expect(said).toContain(`public.users: ${USERS} rows, the same`);
    const [wanted, copied] = await Promise.all([source.client.query(ROWS), target.client.query(ROWS)]);
    expect(copied.rows).toEqual(wanted.rows);
    expect(copied.rows[0]).toMatchObject({ users: USERS, items: 8, per_day: '9007199254740993' });
    await (await start()).close();
  });

  it('takes along what waits in the queue', async () => {
    const [from, to] = [source, target].map(
      ({ url }) => new PgBoss({ connectionString: url, supervise: false, schedule: false }),
    );
    if (!from || !to) throw new Error('two queues');
    await from.start();
    await from.createQueue('mail');
    const id = await from.send('mail', { to: 'p1@example.com' });
    await from.stop({ graceful: false });
    await copyDatabase(source.url, target.url, silent);
    await to.start();
    expect(await to.fetch('mail')).toMatchObject([{ id, data: { to: 'p1@example.com' } }]);
    await to.stop({ graceful: false });
  });

  it('copies the price history, whatever days have a partition on either side', async () => {
    const points = `insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, content_hash)
        values ('00000000-0000-4000-8000-000000000001', now(), now(), '[]', 1, true, 'one');
      insert into opportunity_prices (opportunity_id, edited_at, triggered, error_count) select id, now(), false, 0 from opportunities;
      insert into price_points (opportunity_id, at, target_price, triggered, is_edge)
        select id, now() - n * interval '1 day', n, false, false from opportunities, generate_series(-9, 99) n`;
    const ofDay = (day: string) =>
      `create table price_points_${day} partition of price_points for values from (now() + interval '${day} days') to (now() + interval '${Number(day) + 1} days')`;
    await source.client.query(ofDay('3'));
    await source.client.query(points);
    await target.client.query(ofDay('5'));
    const said: string[] = [];
    await copyDatabase(source.url, target.url, (line) => said.push(line));
    expect(said.filter((line) => line.includes('price_points'))).toEqual([
      'public.price_points: 109 rows, copied and compared',
    ]);
  });

  it('leaves a database alone that is in use, half of another one, or of another version', async () => {
    await target.client.query(
      `insert into users (id, email, password_hash, is_superuser, is_active, created_at)
       values ($1, 'somebody@example.com', 'hash', true, true, now())`,
      [randomUUID()],
    );
    await expect(copyDatabase(source.url, target.url, silent)).rejects.toThrow('is in use');
    await target.client.query('delete from users');
    await target.client.query("create schema dutchbook_copy; create table dutchbook_copy.source as select '7' as id");
    await expect(copyDatabase(source.url, target.url, silent)).rejects.toThrow('of another database');
    await target.client.query('drop schema dutchbook_copy cascade');
    await target.client.query(BREAK_OFF);
    await expect(copyDatabase(source.url, target.url, silent)).rejects.toThrow('no room');
    const third = await laidOut();
    await expect(copyDatabase(third.url, target.url, silent)).rejects.toThrow('of another database');
    await third.close();
    await expect(copyDatabase(source.url, source.url, silent)).rejects.toThrow('is the database to copy');
    await target.client.query('delete from items; delete from users');
    await target.client.query('delete from drizzle.__drizzle_migrations');
    await expect(copyDatabase(source.url, target.url, silent)).rejects.toThrow('of another version');
    expect((await target.client.query(ROWS)).rows[0]).toMatchObject({ users: 0, items: 0 });
  });

  it('takes along the ledger, which goes on where it was', async () => {
    const post = `insert into ledger_entries (at, kind, lines) values (now(), 'deposit',
      '[{"account":"cash","unit":"usd","amount":5},{"account":"outside","unit":"usd","amount":-5}]') returning id::int`;
    const clock = testTime().clock;
    const opened = async ({ url }: Opened) => await openPostgres(url, testTime().timers, pino({ level: 'silent' }));
    await source.client.query(post);
    const before = await opened(source);
    await sealEntries({ db: before.db, clock });
    await source.client.query(post);
    const balances = await readBalances(before.db);
    const verdict = await verifyBlocks(before.db);
    await before.close();
    await copyDatabase(source.url, target.url, silent);
    const after = await opened(target);
    expect(await readBalances(after.db)).toEqual(balances);
    expect(balances).toMatchObject([
      { account: 'cash', amount: 10 },
      { account: 'outside', amount: -10 },
    ]);
    expect(await verifyBlocks(after.db)).toEqual(verdict);
    expect((await target.client.query(post)).rows).toEqual([{ id: 3 }]);
    await sealEntries({ db: after.db, clock });
    expect(await verifyBlocks(after.db)).toMatchObject({ blocks: 2, entries: 3, brokenAt: null });
    await after.close();
    await expect(target.client.query('delete from ledger_entries')).rejects.toThrow('append-only');
  });
});
