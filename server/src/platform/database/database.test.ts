import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { users } from '../../people/users/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import type { Db } from '../runtime/runtime.ts';
import { testTime } from '../runtime/test-time.ts';
import { databaseAnswers, openPostgres } from './database.ts';
import { watchDatabase } from './database-down.ts';

describe('the database', () => {
  it('gives back what was stored, times to the millisecond', async () => {
    await using test = await openTestRuntime();
    const { db, clock, random } = test.runtime;
    await test.time.advance(123);
    const user = {
      id: random.uuid(),
      email: 'ada@example.com',
      fullName: null,
      passwordHash: 'x',
      isSuperuser: true,
      isActive: true,
      sessionEpoch: 0,
      signOffEpoch: 0,
      keptSession: null,
      isViewer: false,
      createdAt: clock.now(),
    };
    await db.insert(users).values(user);
    expect(await db.select().from(users)).toEqual([user]);
  });

  it('takes an email once, in whatever case', async () => {
    await using test = await openTestRuntime();
    const { db, clock, random } = test.runtime;
    const named = (email: string) => ({
      id: random.uuid(),
      email,
      passwordHash: 'x',
      isSuperuser: false,
      isActive: true,
      createdAt: clock.now(),
    });
    await db.insert(users).values(named('ada@example.com'));
    await expect(db.insert(users).values(named('Ada@Example.com'))).rejects.toThrow();
  });

  it('is empty for every test', async () => {
    await using test = await openTestRuntime();
    expect(await test.runtime.db.select().from(users)).toEqual([]);
    expect(await databaseAnswers(test.runtime.db, 5000)).toBe(true);
  });

  it('rolls back a transaction that throws', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`insert into system_settings values ('A', '1'::jsonb, now(), null)`);
      throw new Error('lost');
    });
    await expect(lost).rejects.toThrow('lost');
    expect(await db.execute(sql`select * from system_settings`)).toMatchObject({ rows: [] });
  });
});

it('survives a connection that breaks between two statements', async () => {
  await using test = await openTestRuntime();
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(line) });
  const { db, close } = await openPostgres(test.runtime.queueOptions.connectionString, test.runtime.timers, log);
  const broken = db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await test.runtime.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    // Noticed while nothing is asked: an error without a listener would end the process here.
    await expect.poll(() => said.join()).toContain('database connection broke');
    await tx.execute(sql`select 1`);
  });
  await expect(broken).rejects.toThrow();
  expect(await databaseAnswers(db, 60_000)).toBe(true);
  await close();
});

it('has connections of their own for lists and files, 22 in all, on which no statement goes on for long', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const opened = await openPostgres(runtime.queueOptions.connectionString, runtime.timers, runtime.log);
  const { db, priorityDb, dbFor, close } = opened;
  const pools: Record<string, Db> = { db, priorityDb, ...dbFor };
  const settings = await Promise.all(
    Object.entries(pools).map(async ([name, pool]) => {
      const { rows } = await (pool as NodePgDatabase).execute(sql`show statement_timeout`);
      return [name, (pool as unknown as { $client: Pool }).$client.options.max, rows[0]?.statement_timeout];
    }),
  );
  expect(settings).toEqual([
    ['db', 10, '0'],
    ['priorityDb', 2, '0'],
    ['sessions', 2, '0'],
    ['stops', 2, '0'],
    ['lists', 4, '15s'],
    ['exports', 2, '15s'],
  ]);
  const ends = Promise.withResolvers<void>();
  const held = Array.from({ length: 5 }, () => dbFor.lists.transaction(() => ends.promise));
  await expect.poll(() => (dbFor.lists as unknown as { $client: Pool }).$client.waitingCount).toBe(1);
  const others = Object.entries(pools).filter(([name]) => name !== 'lists');
  expect(await Promise.all(others.map(([, pool]) => databaseAnswers(pool, 60_000)))).toEqual(others.map(() => true));
  ends.resolve();
  await Promise.all(held);
  await close();
});

it('counts as answering while callers hold each connection that its watch asks by, as long as others have answers', async () => {
  await using test = await openTestRuntime();
  const { queueOptions, clock, log } = test.runtime;
  const opened = await openPostgres(queueOptions.connectionString, test.runtime.timers, log);
  const { db, priorityDb, dbFor, answered, close } = opened;
  const ends = Promise.withResolvers<void>();
  const held = [1, 2].map(() => dbFor.sessions.transaction(() => ends.promise));
  const time = testTime(async () => {});
  const watch = watchDatabase({ clock, timers: time.timers, dbFor, answered, log });
  for (let second = 0; second < 10; second += 1) {
    await (second % 2 === 0 ? db : priorityDb).execute(sql`select 1`);
    await time.advance(1000);
  }
  expect(watch.silentMs()).toBeNull();
  await time.advance(3000);
  expect(watch.silentMs()).not.toBeNull();
  watch.stop();
  ends.resolve();
  await Promise.all(held);
  await close();
});

describe('migrations', () => {
  it('run once when several processes start together', async () => {
    await using test = await openTestRuntime();
    const url = test.runtime.queueOptions.connectionString;
    await test.runtime.db.execute(sql`drop schema drizzle cascade; drop schema public cascade; create schema public`);
    const opened = await Promise.all([1, 2, 3].map(() => openPostgres(url, test.runtime.timers, test.runtime.log)));
    expect(await opened[0]?.db.select().from(users)).toEqual([]);
    await Promise.all(opened.map(({ close }) => close()));
  });
});
