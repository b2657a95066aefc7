/** The rows of sessions. A session is good while its row says so, whatever its token says. */
import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { and, desc, eq, getTableColumns, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { CalledFrom, Session, UserRow } from '../../platform/http/signed-in.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { tellSessionsEnded } from '../users/store.ts';
import { users } from '../users/table.ts';
import { sessions } from './table.ts';

const DAY_MS = 24 * 3_600_000;
/** Since it was last seen, and since it began. */
const UNUSED_MS = DAY_MS;
const LIFETIME_MS = 30 * DAY_MS;
/** Sessions of a user at once: a further one ends the one seen longest ago. */
const OPEN_MAX = 50;
const DEVICE_LENGTH_MAX = 200;

export type SessionRow = typeof sessions.$inferSelect;

export async function openSession(
  db: Db,
  { id, user, now, from }: { id: string; user: UserRow; now: Instant; from: CalledFrom },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(sessions).values({
      ...{ id, userId: user.id, epoch: user.sessionEpoch, createdAt: now, lastSeenAt: now },
      ...{ expiresAt: expiryOf(now, now), address: from.address, device: from.device.slice(0, DEVICE_LENGTH_MAX) },
      provenAt: from.proven ? now : null,
    });
    const kept = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), isNull(sessions.endedAt)))
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
      .limit(OPEN_MAX);
    await tx
      .update(sessions)
      .set({ endedAt: now })
      .where(and(eq(sessions.userId, user.id), isNull(sessions.endedAt), sql`${sessions.id} not in ${kept}`));
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), lt(sessions.expiresAt, before(now, LIFETIME_MS))));
  });
}

/** Together with their user, whom every call needs; asked for by every call, so the statement is made once. */
export function preparedSession(db: Db): (session: Pick<Session, 'id' | 'userId'>) => Promise<StoredSession | null> {
  const one = db
    .select({ user: getTableColumns(users), session: getTableColumns(sessions) })
    .from(users)
    .leftJoin(sessions, and(eq(sessions.id, sql.placeholder('id')), eq(sessions.userId, users.id)))
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('user_of_session');
  return async ({ id, userId }) => {
    const [found] = await one.execute({ id, userId });
    return found ?? null;
  };
}

export type StoredSession = { user: UserRow; session: SessionRow | null };

/** The sessions that exist, by id. */
export async function readSessions(db: Db, ids: readonly string[]): Promise<Map<string, StoredSession>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ user: getTableColumns(users), session: getTableColumns(sessions) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(inArray(sessions.id, [...ids]));
  return new Map(found.map((each) => [each.session.id, each]));
}

/** Not ended, not expired, and of the user's current epoch, or the one session that outlived the change of epoch. */
export function isOpen({ user, session }: StoredSession, now: Instant): boolean {
  if (session === null || session.endedAt !== null || session.expiresAt <= now || !user.isActive) return false;
  return user.sessionEpoch === session.epoch || user.keptSession === session.id;
}

/** They are in use: each lasts a day from now on, and as long as it may at most. */
export async function noteSeen(db: Db, ids: readonly string[], now: Instant, address: string | null): Promise<void> {
  const seen = {
    lastSeenAt: now,
    expiresAt: sql`least(${sessions.createdAt} + interval '30 days', ${instantToIso(now)}::timestamptz + interval '1 day')`,
  };
  await db
    .update(sessions)
    .set(address === null ? seen : { ...seen, address })
    .where(and(inArray(sessions.id, [...ids]), isNull(sessions.endedAt)));
}

export async function noteProven(db: Db, id: string, now: Instant): Promise<void> {
  await db.update(sessions).set({ provenAt: now }).where(eq(sessions.id, id));
}

/** A user's open sessions, the last seen first; at most fifty. */
export async function listOpenSessions(db: Db, user: UserRow, now: Instant): Promise<SessionRow[]> {
  return db.select().from(sessions).where(openOf(user, now)).orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/** @returns how many of the open ones of this user were ended: `only` this one, or all `but` one */
export async function endSessions(
  db: Db,
  user: UserRow,
  now: Instant,
  which: { only: string } | { but: string | null },
): Promise<number> {
  const chosen =
    'only' in which ? eq(sessions.id, which.only) : which.but === null ? undefined : ne(sessions.id, which.but);
  const ended = await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(openOf(user, now), chosen))
    .returning({ id: sessions.id });
  if (ended.length > 0) await tellSessionsEnded(db, 'only' in which ? which.only : user.id);
  return ended.length;
}

function openOf(user: UserRow, now: Instant): SQL | undefined {
  const ofNow = [eq(sessions.epoch, user.sessionEpoch)];
  if (user.keptSession !== null) ofNow.push(eq(sessions.id, user.keptSession));
  return and(eq(sessions.userId, user.id), isNull(sessions.endedAt), gt(sessions.expiresAt, now), or(...ofNow));
}

function expiryOf(began: Instant, seen: Instant): Instant {
  return instantFromMs(Math.min(began + LIFETIME_MS, seen + UNUSED_MS));
}

function before(now: Instant, ms: number): Instant {
  return instantFromMs(now - ms);
}
