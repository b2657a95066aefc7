import type { Instant } from '@dutchbook/units/instant.ts';
import { answeredWithin, isDatabaseDown } from '../../platform/database/database-down.ts';
import { Refusal } from '../../platform/http/errors.ts';
import type { Authentication, Session, Sessions } from '../../platform/http/signed-in.ts';
import { openSingleFlight } from '../../platform/http/single-flight.ts';
import { endsSession, sessionSubject } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { isApiToken, openApiTokens } from '../api-tokens/authenticate.ts';
import { rememberSignedIn } from './remembered.ts';
import {
  isOpen,
  noteProven,
  noteSeen,
  openSession,
  preparedSession,
  readSessions,
  type StoredSession,
} from './session-store.ts';
import { issueToken, openTokenKey, readToken } from './tokens.ts';

/** A frozen server keeps its connections and does not answer: no caller waits longer than this. */
const LET_IN_WITHIN_MS = 5000;
/** Who stops something is looked up for no longer than this where they are remembered. */
const LET_STOP_WITHIN_MS = 250;

/** Tokens remembered as proven; the oldest are proven again. */
const PROVEN_MAX = 1000;

/** How exactly it is known when a session was seen last. */
const SEEN_MS = 60_000;
const UNKNOWN = { address: 'unknown', device: 'unknown' };

/** A session is a row that its token names, looked at on every call, so that it can be ended at once. */
export function openSessions({
  config,
  clock,
  random,
  db,
  dbFor,
  timers,
  log,
  pubsub,
  stops,
}: Pick<Runtime, 'config' | 'clock' | 'random' | 'db' | 'dbFor' | 'timers' | 'log' | 'pubsub' | 'stops'>): Sessions {
  const key = openTokenKey(config.secretKey);
  const provenTokens = new Map<string, Session>();
  const reads = openSingleFlight();
  const readOne = preparedSession(dbFor.sessions);
  const readStored = (session: Session) => reads(session.id, () => readOne(session));
  const notedAt = new Map<string, number>();
  const remembered = rememberSignedIn({ clock, dbFor, pubsub, log });

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

  /** Behind the call that it is seen by. */
  const see = (ids: readonly string[], address: string | null) => {
    const now = clock.now();
    const due = ids.filter((id) => now - (notedAt.get(id) ?? 0) >= SEEN_MS);
    if (due.length === 0) return;
    for (const [id, at] of notedAt) if (now - at >= SEEN_MS) notedAt.delete(id);
    for (const id of due) notedAt.set(id, now);
    noteSeen(db, due, now, address).catch((error: unknown) => log.warn({ err: error }, 'sessions not noted as seen'));
  };
  const isStopped = (session: Session, isOfApi = false) =>
    stops.holds(sessionSubject(session.id)) ||
    stops.holds(sessionSubject(session.id, session.userId)) ||
    (!isOfApi && stops.holdsAny((subject) => endsSession(subject, session)));

  const authenticate = async (token: string, address: string | null = null): Promise<Authentication> => {
    const claimed = await readProven(token);
    const stored = claimed && (await readStored(claimed));
    if (!claimed || !stored) return { kind: 'invalid' };
    const { user, session } = stored;
    if (!user.isActive) return { kind: 'inactive' };
    if (session?.epoch !== claimed.epoch || !isOpen(stored, clock.now()) || isStopped(claimed))
      return { kind: 'invalid' };
    if (clock.now() - session.lastSeenAt >= SEEN_MS) see([session.id], address);
    return { kind: 'user', user, session: { ...claimed, expiresAt: session.expiresAt, provenAt: session.provenAt } };
  };

  const authenticateApiToken = openApiTokens({ clock, db, dbFor, log });
  const inTime = <T>(answer: Promise<T>) => answeredWithin(timers, LET_IN_WITHIN_MS, answer);

  /** By what the database says, and by what was ended here and is not stored yet. */
  const lookUp = async (token: string, address: string | undefined): Promise<Authentication> => {
    const isOfApi = isApiToken(token);
    const found = await (isOfApi
      ? authenticateApiToken(token, address ?? UNKNOWN.address)
      : authenticate(token, address));
    if (found.kind !== 'user') {
      remembered.forget(token);
      return found;
    }
    if (isStopped(found.session, isOfApi)) return { kind: 'invalid' };
    const { kind, ...signedIn } = found;
    remembered.note(token, signedIn);
    return found;
  };
  /** @throws DatabaseDown where the caller is not remembered */
  const lookUpToStop = async (token: string, address: string | undefined): Promise<Authentication> => {
    const known = remembered.of(token);
    if (known === null) return inTime(lookUp(token, address));
    try {
      return await answeredWithin(timers, LET_STOP_WITHIN_MS, lookUp(token, address));
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
      return isStopped(known.session, isApiToken(token)) ? { kind: 'invalid' } : { kind: 'user', ...known };
    }
  };

  return {
    authenticate,
    issue: async (user, from = UNKNOWN) => {
      const id = random.uuid();
      const now = clock.now();
      await openSession(db, { id, user, now, from });
      return issueToken(await key, user, id, now);
    },
    prove: ({ id }) => noteProven(db, id, clock.now()),
    require: async (authorization, address, toStop = false) => {
      const token = bearerToken(authorization);
      if (token === null) throw new Refusal(401, 'Not authenticated', { 'www-authenticate': 'Bearer' });
      const found = await (toStop ? lookUpToStop(token, address) : inTime(lookUp(token, address)));
      if (found.kind === 'inactive') throw new Refusal(400, 'Inactive user');
      if (found.kind === 'invalid') throw new Refusal(403, 'Could not validate credentials');
      const { kind, ...signedIn } = found;
      return signedIn;
    },
    ended: async (sessions) => {
      const now = clock.now();
      const ids = sessions.map(({ id }) => id);
      const stored = await inTime(readSessions(dbFor.sessions, ids));
      const isEnded = (session: Session) => isStopped(session) || !isStillOpen(stored.get(session.id), now);
      const ended = new Set(sessions.filter(isEnded));
      const open = sessions.filter((session) => !ended.has(session));
      remembered.confirm(open);
      see(
        open.map(({ id }) => id),
        null,
      );
      return ended;
    },
  };
}

function isStillOpen(stored: StoredSession | undefined, now: Instant): boolean {
  return stored !== undefined && isOpen(stored, now);
}

function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
