import type { Instant } from '@dutchbook/units/instant.ts';
import { isApiToken, openApiTokens } from '../api-tokens/authenticate.ts';
import { answeredWithin } from '../database/database-down.ts';
import { Refusal } from '../http/errors.ts';
import { openSingleFlight } from '../http/single-flight.ts';
import type { Authentication, Session, Sessions } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
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

/** A server that is frozen keeps its connections and says nothing: nobody who calls is kept waiting for longer. */
const LET_IN_WITHIN_MS = 5000;

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
  timers,
  log,
}: Pick<Runtime, 'config' | 'clock' | 'random' | 'db' | 'timers' | 'log'>): Sessions {
  const key = openTokenKey(config.secretKey);
  const provenTokens = new Map<string, Session>();
  const reads = openSingleFlight();
  const readOne = preparedSession(db);
  const readStored = (session: Session) => reads(session.id, () => readOne(session));
  const notedAt = new Map<string, number>();

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
  const authenticate = async (token: string, address: string | null = null): Promise<Authentication> => {
    const claimed = await readProven(token);
    const stored = claimed && (await readStored(claimed));
    if (!claimed || !stored) return { kind: 'invalid' };
    const { user, session } = stored;
    if (!user.isActive) return { kind: 'inactive' };
    if (session?.epoch !== claimed.epoch || !isOpen(stored, clock.now())) return { kind: 'invalid' };
    if (clock.now() - session.lastSeenAt >= SEEN_MS) see([session.id], address);
    return { kind: 'user', user, session: { ...claimed, expiresAt: session.expiresAt, provenAt: session.provenAt } };
  };

  const authenticateApiToken = openApiTokens({ clock, db, log });
  const inTime = <T>(answer: Promise<T>) => answeredWithin(timers, LET_IN_WITHIN_MS, answer);

  return {
    authenticate,
    issue: async (user, from = UNKNOWN) => {
      const id = random.uuid();
      const now = clock.now();
      await openSession(db, { id, user, now, from });
      return issueToken(await key, user, id, now);
    },
    prove: ({ id }) => noteProven(db, id, clock.now()),
    require: async (authorization, address) => {
      const token = bearerToken(authorization);
      if (token === null) throw new Refusal(401, 'Not authenticated', { 'www-authenticate': 'Bearer' });
      const found = await inTime(
        isApiToken(token) ? authenticateApiToken(token, address ?? UNKNOWN.address) : authenticate(token, address),
      );
      if (found.kind === 'inactive') throw new Refusal(400, 'Inactive user');
      if (found.kind === 'invalid') throw new Refusal(403, 'Could not validate credentials');
      const { kind, ...signedIn } = found;
      return signedIn;
    },
    ended: async (sessions) => {
      const now = clock.now();
      const stored = await readSessions(
        db,
        sessions.map(({ id }) => id),
      );
      const ended = new Set(sessions.filter(({ id }) => !isStillOpen(stored.get(id), now)));
      see(
        sessions.filter((session) => !ended.has(session)).map(({ id }) => id),
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
