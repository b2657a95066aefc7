import { instantFromMs } from '@dutchbook/units/instant.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DatabaseDown } from '../../platform/database/database-down.ts';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { testTime } from '../../platform/runtime/test-time.ts';
import { users } from '../users/table.ts';
import { endSessions } from './session-store.ts';
import { openSessions } from './sessions.ts';
import { sessions as rows } from './table.ts';

const HOUR_MS = 3_600_000;

/** A clock that is set, and sessions that go by it. */
async function openTimed() {
  const app = await openTestApp();
  const { runtime } = app.test;
  const begun = runtime.clock.now();
  let now = begun;
  const sessions = openSessions({ ...runtime, clock: { now: () => now } });
  return {
    app,
    sessions,
    db: runtime.db,
    at: (ms: number) => {
      now = instantFromMs(begun + ms);
    },
    /** When it is written down that the session was used. */
    seenAt: async (ms: number) => {
      await expect.poll(() => runtime.db.$count(rows, eq(rows.lastSeenAt, instantFromMs(begun + ms)))).toBe(1);
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

describe('sessions that are held open', () => {
  it('have ended when others were ended, and when their user is inactive or gone; those that go on are in use', async () => {
    await using app = await openTestApp();
    const { db } = app.test.runtime;
    const open = async (user: UserRow) => {
      const found = await app.sessions.authenticate(await app.sessions.issue(user));
      if (found.kind !== 'user') throw new Error('A session that was just begun is not open');
      return found.session;
    };
    const [ada, inactive, gone] = [await app.addUser(), await app.addUser(), await app.addUser()];
    const [old, kept] = [await open(ada), await open(ada)];
    const ended = [old, await open(inactive), await open(gone)];
    await db.update(users).set({ isActive: false }).where(eq(users.id, inactive.id));
    await db.update(users).set({ sessionEpoch: 1, keptSession: kept.id }).where(eq(users.id, ada.id));
    await db.delete(users).where(eq(users.id, gone.id));
    const current = await open({ ...ada, sessionEpoch: 1 });
    expect(await app.sessions.ended([current, ...ended, kept])).toEqual(new Set(ended));
    expect(await app.sessions.ended([])).toEqual(new Set());
  });

  it('last a day from when they were seen last, by a call or by an open page', async () => {
    await using desk = await openTimed();
    const token = await desk.sessions.issue(await desk.app.addUser());
    desk.at(23 * HOUR_MS);
    const used = await desk.sessions.authenticate(token);
    expect(used).toMatchObject({ kind: 'user' });
    await desk.seenAt(23 * HOUR_MS);
    desk.at(46 * HOUR_MS);
    if (used.kind === 'user') expect(await desk.sessions.ended([used.session])).toEqual(new Set());
    await desk.seenAt(46 * HOUR_MS);
    desk.at(70 * HOUR_MS - 1);
    expect(await desk.sessions.authenticate(token)).toMatchObject({ kind: 'user' });
    await desk.seenAt(70 * HOUR_MS - 1);
    desk.at(94 * HOUR_MS);
    expect(await desk.sessions.authenticate(token)).toEqual({ kind: 'invalid' });
    if (used.kind === 'user') expect(await desk.sessions.ended([used.session])).toEqual(new Set([used.session]));
  });

  it('end after thirty days however much they are used', async () => {
    await using desk = await openTimed();
    const token = await desk.sessions.issue(await desk.app.addUser());
    for (let hour = 20; hour < 30 * 24; hour += 20) {
      desk.at(hour * HOUR_MS);
      expect(await desk.sessions.authenticate(token)).toMatchObject({ kind: 'user' });
      await desk.seenAt(hour * HOUR_MS);
    }
    desk.at(30 * 24 * HOUR_MS);
    expect(await desk.sessions.authenticate(token)).toEqual({ kind: 'invalid' });
  });

  it('are accepted call after call, and not when they were ended meanwhile', async () => {
    await using desk = await openTimed();
    const user = await desk.app.addUser();
    const token = await desk.sessions.issue(user);
    for (const _ of [1, 2]) expect(await desk.sessions.authenticate(token)).toMatchObject({ kind: 'user', user });
    await desk.db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
    expect(await desk.sessions.authenticate(token)).toEqual({ kind: 'inactive' });
    await desk.db.update(users).set({ isActive: true, sessionEpoch: 1 }).where(eq(users.id, user.id));
    expect(await desk.sessions.authenticate(token)).toEqual({ kind: 'invalid' });
  });

  it('are fifty of one user at most: the one that was seen longest ago goes', async () => {
    await using desk = await openTimed();
    const user = await desk.app.addUser();
    const tokens: string[] = [];
    for (let nth = 0; nth < 51; nth += 1) {
      desk.at(nth);
      tokens.push(await desk.sessions.issue(user));
    }
    expect(await desk.sessions.authenticate(tokens[0] ?? '')).toEqual({ kind: 'invalid' });
    expect(await desk.sessions.authenticate(tokens[1] ?? '')).toMatchObject({ kind: 'user' });
  });
});

const waitsForUsers = sql`not granted and relation = 'users'::regclass
  and database = (select oid from pg_database where datname = current_database())`;

it('no caller is kept waiting by a server that says nothing', async () => {
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

it('a silent server lets in who was let in lately and only stops, until the session has ended as far as is known here', async () => {
  await using app = await openTestApp();
  const { runtime } = app.test;
  const { timers, advance } = testTime();
  let now = runtime.clock.now();
  const sessions = openSessions({ ...runtime, timers, clock: { now: () => now } });
  const user = await app.addUser();
  const [lately, never, ended] = [
    await sessions.issue(user),
    await sessions.issue(user),
    await sessions.issue(user),
  ].map((token) => `Bearer ${token}`);
  for (const each of [lately, ended]) await sessions.require(each);
  const other = await sessions.require(ended);
  await endSessions(runtime.db, user, now, { only: other.session.id });
  await app.test.idle();
  await runtime.db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in access exclusive mode`);
    const asked = (authorization: string | undefined, toStop: boolean) =>
      sessions.require(authorization, undefined, toStop).then(
        (signedIn) => signedIn.user.id,
        (error: Error) => error.name,
      );
    const followed = (authorization = '') =>
      sessions.authenticate(authorization.replace('Bearer ', '')).then(
        ({ kind }) => kind,
        (error: Error) => error.name,
      );
    const answers = Promise.all([asked(lately, true), asked(lately, false), asked(never, true), asked(ended, true)]);
    const streams = Promise.all([followed(lately), followed(never), followed(ended)]);
    await expect.poll(() => tx.$count(sql`pg_locks`, waitsForUsers)).toBeGreaterThan(0);
    await advance(5000);
    expect(await answers).toEqual([user.id, 'DatabaseDown', 'DatabaseDown', 'DatabaseDown']);
    expect(await streams).toEqual(['user', 'DatabaseDown', 'DatabaseDown']);
    now = instantFromMs(now + HOUR_MS + 1);
    const late = asked(lately, true);
    await advance(5000);
    expect(await late).toBe('DatabaseDown');
  });
});
