import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../world/database.ts';
import { freshTestDatabase } from '../world/test-server.fixture.ts';
import { testTime } from '../world/test-time.ts';
import { testDatabases } from '../world/test-world.ts';
import type { Session } from '../world/unfinished-copy.ts';
import { copyDatabase } from './copy-database.ts';

const USERS = 5000;

/** Awkward to carry over: more than one portion of rows, line ends and quotes, microseconds, a number beyond 2^53. */
const FILL = `
  insert into users (id, email, full_name, password_hash, is_superuser, is_active, created_at)
    select gen_random_uuid(), 'p' || n || '@example.com', E'"O''Neil"\\n\\\\' || n, 'hash', false, true,
      timestamptz '2026-06-01T12:00:00.123456Z' + n * interval '1 second' from generate_series(1, ${USERS}) n;
  insert into trading_controls (venue, armed, per_day) values ('simulated', true, 9007199254740993);
  insert into items (id, owner_id, title, created_at) select gen_random_uuid(), id, 'Zwölf ☃', created_at from users limit 7`;

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

/** Fails at the `nth` statement that writes rows. */
function breaksAt(session: Session, nth: number): Session {
  let writes = 0;
  return {
    query: (text, parameters) => {
      if (!text.startsWith('insert into public.')) return session.query(text, parameters);
      writes += 1;
      return writes === nth ? Promise.reject(new Error('connection lost')) : session.query(text, parameters);
    },
  };
}

describe.runIf(testDatabases.includes('postgres'))('copying a database', () => {
  let source: Opened;
  let target: Opened;
  beforeEach(async () => {
    [source, target] = await Promise.all([laidOut(), laidOut()]);
    await source.client.query(FILL);
  });
  afterEach(() => Promise.all([source.close(), target.close()]));

  it('goes on where it was broken off, and until then nothing starts on half of it', async () => {
    await expect(copyDatabase(source.client, breaksAt(target.client, 3), silent)).rejects.toThrow('connection lost');
    const start = () => openPostgres(target.url, testTime().timers, pino({ level: 'silent' }));
    await expect(start()).rejects.toThrow('unfinished copy');
    await copyDatabase(source.client, target.client, silent);
    const [wanted, copied] = await Promise.all([source.client.query(ROWS), target.client.query(ROWS)]);
    expect(copied.rows).toEqual(wanted.rows);
    expect(copied.rows[0]).toMatchObject({ users: USERS, items: 7, per_day: '9007199254740993' });
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
    await copyDatabase(source.client, target.client, silent);
    await to.start();
    expect(await to.fetch('mail')).toMatchObject([{ id, data: { to: 'p1@example.com' } }]);
    await to.stop({ graceful: false });
  });

  it('leaves a database alone that is in use, half of another one, or of another version', async () => {
    await target.client.query(
      `insert into users (id, email, password_hash, is_superuser, is_active, created_at)
       values ($1, 'somebody@example.com', 'hash', true, true, now())`,
      [randomUUID()],
    );
    await expect(copyDatabase(source.client, target.client, silent)).rejects.toThrow('is in use');
    await target.client.query('delete from users');
    await target.client.query("create schema dutchbook_copy; create table dutchbook_copy.source as select '7' as id");
    await expect(copyDatabase(source.client, target.client, silent)).rejects.toThrow('of another database');
    await target.client.query('delete from drizzle.__drizzle_migrations');
    await expect(copyDatabase(source.client, target.client, silent)).rejects.toThrow('of another version');
    expect((await target.client.query(ROWS)).rows[0]).toMatchObject({ users: 0, items: 0 });
  });
});
