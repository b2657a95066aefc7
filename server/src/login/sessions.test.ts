import { instantFromMs } from '@dutchbook/units/instant.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openTestApp } from '../http/app.fixture.ts';
import type { UserRow } from '../users/store.ts';
import { DatabaseDown } from '../world/database-down.ts';
import { users } from '../world/schema.ts';
import { testTime } from '../world/test-time.ts';
import { testDatabases } from '../world/test-world.ts';
import { openSessions } from './sessions.ts';
import type { Session } from './tokens.ts';

const EIGHT_DAYS_MS = 8 * 24 * 60 * 60_000;

describe.each(testDatabases)('sessions that are held open, on %s', (kind) => {
  it('have ended when they expire, when others were ended, and when their user is inactive or gone', async () => {
    await using app = await openTestApp(kind);
    const { db, clock, dice } = app.test.world;
    const session = (user: UserRow, changed: Partial<Session> = {}): Session => ({
      id: dice.uuid(),
      userId: user.id,
      epoch: user.sessionEpoch,
      expiresAt: instantFromMs(clock.now() + 1),
      ...changed,
    });
    const [ada, inactive, gone] = [await app.addUser(), await app.addUser({ isActive: false }), await app.addUser()];
    const [current, kept] = [session(ada, { epoch: 1 }), session(ada)];
    await db.update(users).set({ sessionEpoch: 1, keptSession: kept.id }).where(eq(users.id, ada.id));
    await db.delete(users).where(eq(users.id, gone.id));
    const expired = session(ada, { epoch: 1, expiresAt: clock.now() });
    const ended = [expired, session(ada), session(inactive), session(gone)];
    expect(await app.sessions.ended([current, ...ended, kept])).toEqual(new Set(ended));
    expect(await app.sessions.ended([])).toEqual(new Set());
  });

  it('are accepted call after call, and neither when they have expired nor when they were ended meanwhile', async () => {
    await using app = await openTestApp(kind);
    const { world } = app.test;
    let now = world.clock.now();
    const sessions = openSessions({ ...world, clock: { now: () => now } });
    const user = await app.addUser();
    const token = await sessions.issue(user);
    for (const _ of [1, 2]) expect(await sessions.authenticate(token)).toMatchObject({ kind: 'user', user });
    const begun = now;
    now = instantFromMs(begun + EIGHT_DAYS_MS);
    expect(await sessions.authenticate(token)).toEqual({ kind: 'invalid' });
    now = begun;
    expect(await sessions.authenticate(token)).toMatchObject({ kind: 'user' });
    await world.db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
    expect(await sessions.authenticate(token)).toEqual({ kind: 'inactive' });
    await world.db.update(users).set({ isActive: true, sessionEpoch: 1 }).where(eq(users.id, user.id));
    expect(await sessions.authenticate(token)).toEqual({ kind: 'invalid' });
  });
});

const waitsForUsers = sql`not granted and relation = 'users'::regclass
  and database = (select oid from pg_database where datname = current_database())`;

it.runIf(testDatabases.includes('postgres'))('nobody is kept waiting by a server that says nothing', async () => {
  await using app = await openTestApp('postgres');
  const { user } = await app.signedIn();
  const { world } = app.test;
  const config = { ...world.config, databaseUrl: 'postgres://127.0.0.1/frozen' };
  const { timers, advance } = testTime();
  const sessions = openSessions({ ...world, config, timers });
  const authorization = `Bearer ${await sessions.issue(user)}`;
  await world.db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in access exclusive mode`);
    const refused = expect(sessions.require(authorization)).rejects.toThrow(DatabaseDown);
    await vi.waitFor(async () => expect(await tx.$count(sql`pg_locks`, waitsForUsers)).toBe(1), 60_000);
    await advance(5000);
    await refused;
  });
  expect(await sessions.require(authorization)).toMatchObject({ user: { id: user.id } });
});
