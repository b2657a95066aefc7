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
/** Who stops something, or asks how the system is, is looked up for no longer than this where they are remembered. */
const LET_STOP_WITHIN_MS = 250;

/** Tokens remembered as proven; the oldest are proven again. */
const PROVEN_MAX = 1000;

/** How exactly it is known when a session was seen last. */
const SEEN_MS = 60_000;
const UNKNOWN = { address: 'unknown', device: 'unknown' };

type SessionsRuntime = Pick<
  Runtime,
  'config' | 'clock' | 'random' | 'db' | 'dbFor' | 'timers' | 'log' | 'pubsub' | 'stops'
>;

export function openSessions(runtime: SessionsRuntime): Sessions {
  return new StoredSessions(runtime);
}

/** A session is a row that its token names, looked at on every call, so that it can be ended at once. */
class StoredSessions implements Sessions {
  readonly #runtime: SessionsRuntime;
  readonly #key: ReturnType<typeof openTokenKey>;
  readonly #provenTokens = new Map<string, Session>();
  readonly #readStored: (session: Session) => ReturnType<ReturnType<typeof preparedSession>>;
  readonly #notedAt = new Map<string, number>();
  readonly #remembered: ReturnType<typeof rememberSignedIn>;
  readonly #authenticateApiToken: ReturnType<typeof openApiTokens>;

  constructor(runtime: SessionsRuntime) {
    this.#runtime = runtime;
    this.#key = openTokenKey(runtime.config.secretKey);
    const reads = openSingleFlight();
    const readOne = preparedSession(runtime.dbFor.sessions);
    this.#readStored = (session) => reads(session.id, () => readOne(session));
    this.#remembered = rememberSignedIn(runtime);
    this.#authenticateApiToken = openApiTokens(runtime);
  }

  readonly authenticate: Sessions['authenticate'] = async (token) =>
    isApiToken(token) ? { kind: 'invalid' } : this.#lookUpOrRecall(token, () => this.#authenticateSession(token, null));

  async #authenticateSession(token: string, address: string | null): Promise<Authentication> {
    const claimed = await this.#readProven(token);
    const stored = claimed && (await this.#readStored(claimed));
    if (!claimed || !stored) return { kind: 'invalid' };
    const { user, session } = stored;
    const now = this.#now();
    if (!user.isActive) return { kind: 'inactive' };
    if (session?.epoch !== claimed.epoch || !isOpen(stored, now) || this.#isStopped(claimed))
      return { kind: 'invalid' };
    if (now - session.lastSeenAt >= SEEN_MS) this.#see([session.id], address);
    return { kind: 'user', user, session: { ...claimed, expiresAt: session.expiresAt, provenAt: session.provenAt } };
  }

  readonly issue: Sessions['issue'] = async (user, from = UNKNOWN) => {
    const id = this.#runtime.random.uuid();
    const now = this.#now();
    await openSession(this.#runtime.db, { id, user, now, from });
    return issueToken(await this.#key, user, id, now);
  };

  readonly prove: Sessions['prove'] = ({ id }) => noteProven(this.#runtime.db, id, this.#now());

  readonly require: Sessions['require'] = async (authorization, address, lately = false) => {
    const token = bearerToken(authorization);
    if (token === null) throw new Refusal(401, 'Not authenticated', { 'www-authenticate': 'Bearer' });
    const found = await (lately
      ? this.#lookUpOrRecall(token, () => this.#lookUp(token, address))
      : this.#inTime(this.#lookUp(token, address)));
    if (found.kind === 'inactive') throw new Refusal(400, 'Inactive user');
    if (found.kind === 'invalid') throw new Refusal(403, 'Could not validate credentials');
    const { kind, ...signedIn } = found;
    return signedIn;
  };

  readonly ended: Sessions['ended'] = async (sessions) => {
    const now = this.#now();
    const ids = sessions.map(({ id }) => id);
    const stored = await this.#inTime(readSessions(this.#runtime.dbFor.sessions, ids));
    const isEnded = (session: Session) => this.#isStopped(session) || !isStillOpen(stored.get(session.id), now);
    const ended = new Set(sessions.filter(isEnded));
    const open = sessions.filter((session) => !ended.has(session));
    this.#remembered.confirm(open);
    this.#see(
      open.map(({ id }) => id),
      null,
    );
    return ended;
  };

  #now(): Instant {
    return this.#runtime.clock.now();
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return answeredWithin(this.#runtime.timers, LET_IN_WITHIN_MS, answer);
  }

  /** What a token says never changes: it is proven once, and looked up while it has not expired. */
  async #readProven(token: string): Promise<Session | null> {
    const proven = this.#provenTokens.get(token);
    if (proven !== undefined && proven.expiresAt > this.#now()) return proven;
    this.#provenTokens.delete(token);
    const session = await readToken(await this.#key, token, this.#now());
    if (session === null) return null;
    const [oldest] = this.#provenTokens.keys();
    if (this.#provenTokens.size >= PROVEN_MAX && oldest !== undefined) this.#provenTokens.delete(oldest);
    this.#provenTokens.set(token, session);
    return session;
  }

  /** Behind the call that it is seen by. */
  #see(ids: readonly string[], address: string | null): void {
    const { db, log } = this.#runtime;
    const now = this.#now();
    const due = ids.filter((id) => now - (this.#notedAt.get(id) ?? 0) >= SEEN_MS);
    if (due.length === 0) return;
    for (const [id, at] of this.#notedAt) if (now - at >= SEEN_MS) this.#notedAt.delete(id);
    for (const id of due) this.#notedAt.set(id, now);
    noteSeen(db, due, now, address).catch((error: unknown) => log.warn({ err: error }, 'sessions not noted as seen'));
  }

  #isStopped(session: Session, isOfApi = false): boolean {
    const { stops } = this.#runtime;
    return (
      stops.holds(sessionSubject(session.id)) ||
      stops.holds(sessionSubject(session.id, session.userId)) ||
      (!isOfApi && stops.holdsAny((subject) => endsSession(subject, session)))
    );
  }

  /** Looks the session up in the database, and among ends that are not stored yet. */
  async #lookUp(token: string, address: string | undefined): Promise<Authentication> {
    const isOfApi = isApiToken(token);
    const found = await (isOfApi
      ? this.#authenticateApiToken(token, address ?? UNKNOWN.address)
      : this.#authenticateSession(token, address ?? null));
    if (found.kind !== 'user') {
      this.#remembered.forget(token);
      return found;
    }
    if (this.#isStopped(found.session, isOfApi)) return { kind: 'invalid' };
    const { kind, ...signedIn } = found;
    this.#remembered.note(token, signedIn);
    return found;
  }

  /** @throws DatabaseDown where the caller is not remembered */
  async #lookUpOrRecall(token: string, lookUp: () => Promise<Authentication>): Promise<Authentication> {
    const known = this.#remembered.of(token);
    if (known === null) return await this.#inTime(lookUp());
    try {
      return await answeredWithin(this.#runtime.timers, LET_STOP_WITHIN_MS, lookUp());
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
      return this.#isStopped(known.session, isApiToken(token)) ? { kind: 'invalid' } : { kind: 'user', ...known };
    }
  }
}

function isStillOpen(stored: StoredSession | undefined, now: Instant): boolean {
  return stored !== undefined && isOpen(stored, now);
}

function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
