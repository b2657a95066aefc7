import { eq, inArray, sql } from 'drizzle-orm';
import { answeredWithin } from '../database/database-down.ts';
import { Refusal } from '../http/errors.ts';
import { openSingleFlight } from '../http/single-flight.ts';
import type { Authentication, Session, Sessions, UserRow } from '../parts.ts';
import type { Db, Runtime } from '../runtime.ts';
import { users } from '../users/table.ts';
import { issueToken, openTokenKey, readToken } from './tokens.ts';

/** A server that is frozen keeps its connections and says nothing: nobody who calls is kept waiting for longer. */
const LET_IN_WITHIN_MS = 5000;

/** Tokens remembered as proven; the oldest are proven again. */
const PROVEN_MAX = 1000;

/** Sessions are tokens that are checked against their user on every call, so that one can be ended at once. */
export function openSessions({
  config,
  clock,
  random,
  db,
  timers,
}: Pick<Runtime, 'config' | 'clock' | 'random' | 'db' | 'timers'>): Sessions {
  const key = openTokenKey(config.secretKey);
  const provenTokens = new Map<string, Session>();
  const readUser = preparedUser(db);

  /** What a token says never changes: it is proven once, and looked up while it has not expired. */
  const readProven = async (token: string): Promise<Session | null> => {
    const proven = provenTokens.get(token);
    if (proven !== undefined && proven.expiresAt > clock.now()) return proven;
    provenTokens.delete(token);
    const session = await readToken(await key, token, clock.now());
    if (session === null) return null;
    const [oldest] = provenTokens.keys();
    if (provenTokens.size >= PROVEN_MAX && oldest !== undefined) provenTokens.delete(oldest);
    provenTokens.set(token, session);
    return session;
  };

  const authenticate = async (token: string): Promise<Authentication> => {
    const session = await readProven(token);
    const user = session && (await readUser(session.userId));
    if (!session || !user) return { kind: 'invalid' };
    if (!user.isActive) return { kind: 'inactive' };
    return isOfNow(session, user) ? { kind: 'user', user, session } : { kind: 'invalid' };
  };

  const inTime = <T>(answer: Promise<T>) => answeredWithin(timers, LET_IN_WITHIN_MS, answer);

  return {
    authenticate,
    issue: async (user) => issueToken(await key, user, random.uuid(), clock.now()),
    require: async (authorization) => {
      const token = bearerToken(authorization);
      if (token === null) throw new Refusal(401, 'Not authenticated', { 'www-authenticate': 'Bearer' });
      const found = await inTime(authenticate(token));
      if (found.kind === 'inactive') throw new Refusal(400, 'Inactive user');
      if (found.kind === 'invalid') throw new Refusal(403, 'Could not validate credentials');
      return { user: found.user, session: found.session };
    },
    ended: async (sessions) => {
      const ids = [...new Set(sessions.map(({ userId }) => userId))];
      const rows = ids.length === 0 ? [] : await db.select().from(users).where(inArray(users.id, ids));
      const byId = new Map(rows.map((row) => [row.id, row]));
      const now = clock.now();
      return new Set(sessions.filter((session) => !holds(session, byId.get(session.userId), now)));
    },
  };
}

/** The user as stored now; asked for by every call, so the statement is made once, and read once by calls that come together. */
function preparedUser(db: Db): (id: string) => Promise<UserRow | null> {
  const byId = db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_of_session');
  const reads = openSingleFlight();
  const read = async (id: string) => {
    const [row] = await byId.execute({ id });
    return row ?? null;
  };
  return (id) => reads(id, () => read(id));
}

function holds(session: Session, user: UserRow | undefined, now: number): boolean {
  return user?.isActive === true && isOfNow(session, user) && session.expiresAt > now;
}

/** Not ended since it began: of the user's current epoch, or the one session that outlived the change of epoch. */
function isOfNow(session: Session, user: UserRow): boolean {
  return user.sessionEpoch === session.epoch || user.keptSession === session.id;
}

function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
