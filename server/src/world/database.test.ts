import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { databaseAnswers, openDatabase, openPostgres, usePglite } from './database.ts';
import { openMemoryDatabase } from './memory-database.fixture.ts';
import { users } from './schema.ts';
import { openTestWorld, testDatabases } from './test-world.ts';
import { realTimers } from './timers.ts';
import type { Timers } from './world.ts';

describe.each(testDatabases)('the database on %s', (kind) => {
  it('gives back what was stored, times to the millisecond', async () => {
    await using test = await openTestWorld(kind);
    const { db, clock, dice } = test.world;
    await test.time.advance(123);
    const user = {
      id: dice.uuid(),
      email: 'ada@example.com',
      fullName: null,
      passwordHash: 'x',
      isSuperuser: true,
      isActive: true,
      sessionEpoch: 0,
      keptSession: null,
      createdAt: clock.now(),
    };
    await db.insert(users).values(user);
    expect(await db.select().from(users)).toEqual([user]);
  });

  it('takes an email once, in whatever case', async () => {
    await using test = await openTestWorld(kind);
    const { db, clock, dice } = test.world;
    const named = (email: string) => ({
      id: dice.uuid(),
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
    await using test = await openTestWorld(kind);
    expect(await test.world.db.select().from(users)).toEqual([]);
    expect(await databaseAnswers(test.world.db, 5000)).toBe(true);
  });

  it('rolls back a transaction that throws', async () => {
    await using test = await openTestWorld(kind);
    const { db } = test.world;
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`insert into system_settings values ('A', '1'::jsonb, now(), null)`);
      throw new Error('lost');
    });
    await expect(lost).rejects.toThrow('lost');
    expect(await db.execute(sql`select * from system_settings`)).toMatchObject({ rows: [] });
  });
});

it.runIf(testDatabases.includes('postgres'))('survives a connection that breaks between two statements', async () => {
  await using test = await openTestWorld('postgres');
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(line) });
  const { db, close } = await openPostgres(test.world.queueOptions.connectionString ?? '', test.world.timers, log);
  const broken = db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await test.world.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    // Noticed while nobody asks anything: an error without a listener would end the process here.
    await vi.waitFor(() => expect(said.join()).toContain('A database connection broke'), 60_000);
    await tx.execute(sql`select 1`);
  });
  await expect(broken).rejects.toThrow();
  expect(await databaseAnswers(db, 60_000)).toBe(true);
  await close();
});

it('embedded, has little to read again at a start after a crash, however long it has run', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dutchbook-checkpoint-'));
  const log = pino({ level: 'silent' });
  const periodic: (() => unknown)[] = [];
  const every: Timers['every'] = (_ms, work) => {
    periodic.push(work);
    return () => {};
  };
  const { db, close } = await openDatabase({ databaseUrl: null, dataDir }, { ...realTimers(log), every }, log);
  const bytesToReadAgain = async () => {
    const asked = sql`select (pg_current_wal_insert_lsn() - redo_lsn)::int as bytes from pg_control_checkpoint()`;
    const { rows } = (await db.execute(asked)) as unknown as { rows: [{ bytes: number }] };
    return rows[0].bytes;
  };
  await db.execute(sql`create table ballast as select repeat('x', 1000) from generate_series(1, 1000)`);
  expect(await bytesToReadAgain()).toBeGreaterThan(1_000_000);
  for (const work of periodic) await work();
  expect(await bytesToReadAgain()).toBeLessThan(10_000);
  await close();
  rmSync(dataDir, { recursive: true });
});

describe('migrations', () => {
  it('change nothing when they run again on PGlite', async () => {
    const client = await openMemoryDatabase();
    await usePglite(client);
    const { db, close } = await usePglite(client);
    expect(await db.select().from(users)).toEqual([]);
    await close();
  });

  it.runIf(testDatabases.includes('postgres'))('run once when several processes start together', async () => {
    await using test = await openTestWorld('postgres');
    const url = test.world.queueOptions.connectionString ?? '';
    await test.world.db.execute(sql`drop schema drizzle cascade; drop schema public cascade; create schema public`);
    const opened = await Promise.all([1, 2, 3].map(() => openPostgres(url, test.world.timers, test.world.log)));
    expect(await opened[0]?.db.select().from(users)).toEqual([]);
    await Promise.all(opened.map(({ close }) => close()));
  });
});
