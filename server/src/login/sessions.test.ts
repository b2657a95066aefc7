import { instantFromMs } from '@dutchbook/units/instant.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DatabaseDown } from '../database/database-down.ts';
import { openTestApp } from '../http/app.fixture.ts';
import type { Session, UserRow } from '../parts.ts';
import { testTime } from '../runtime/test-time.ts';
import { users } from '../users/table.ts';
import { openSessions } from './sessions.ts';

const EIGHT_DAYS_MS = 8 * 24 * 60 * 60_000;

describe('sessions that are held open', () => {
  it('have ended when they expire, when others were ended, and when their user is inactive or gone', async () => {
    await using app = await openTestApp();
    const { db, clock, random } = app.test.runtime;
    const session = (user: UserRow, changed: Partial<Session> = {}): Session => ({
      id: random.uuid(),
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
    await using app = await openTestApp();
    const { runtime } = app.test;
    let now = runtime.clock.now();
    const sessions = openSessions({ ...runtime, clock: { now: () => now } });
    const user = await app.addUser();
    const token = await sessions.issue(user);
    for (const _ of [1, 2]) expect(await sessions.authenticate(token)).toMatchObject({ kind: 'user', user });
    const begun = now;
    now = instantFromMs(begun + EIGHT_DAYS_MS);
    expect(await sessions.authenticate(token)).toEqual({ kind: 'invalid' });
    now = begun;
    expect(await sessions.authenticate(token)).toMatchObject({ kind: 'user' });
    await runtime.db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
    expect(await sessions.authenticate(token)).toEqual({ kind: 'inactive' });
    await runtime.db.update(users).set({ isActive: true, sessionEpoch: 1 }).where(eq(users.id, user.id));
    expect(await sessions.authenticate(token)).toEqual({ kind: 'invalid' });
  });
});

const waitsForUsers = sql`not granted and relation = 'users'::regclass
  and database = (select oid from pg_database where datname = current_database())`;

it('nobody is kept waiting by a server that says nothing', async () => {
  await using app = await openTestApp();
  const { user } = await app.signedIn();
  const { runtime } = app.test;
  const { timers, advance } = testTime();
  const sessions = openSessions({ ...runtime, timers });
  const authorization = `Bearer ${await sessions.issue(user)}`;
  await runtime.db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in access exclusive mode`);
    const refused = expect(sessions.require(authorization)).rejects.toThrow(DatabaseDown);
    await expect.poll(() => tx.$count(sql`pg_locks`, waitsForUsers)).toBe(1);
    await advance(5000);
    await refused;
  });
  expect(await sessions.require(authorization)).toMatchObject({ user: { id: user.id } });
});
