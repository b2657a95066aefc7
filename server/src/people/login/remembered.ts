import { createHash } from 'node:crypto';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Session, SignedIn } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { isOpen, readSessions } from './session-store.ts';

/** The ones remembered longest ago are forgotten first. */
const REMEMBERED_MAX = 1000;
/** Since the database has said that the session is good. */
const GOOD_FOR_MS = 3_600_000;

/**
 * Who was let in lately, for calls that stop something or ask how the system is while the database does not answer: for an hour since it said that the session
 * or API token is good, and no longer than that lasts. What this process hears of the end of a session is forgotten at once.
 */
export type Remembered = {
  note: (token: string, signedIn: SignedIn) => void;
  of: (token: string) => SignedIn | null;
  /** The database has just said that these are good. */
  confirm: (sessions: readonly Session[]) => void;
  forget: (token: string) => void;
};

type Known = { signedIn: SignedIn; goodAt: Instant };

export function rememberSignedIn({
  clock,
  dbFor,
  pubsub,
  log,
}: Pick<Runtime, 'clock' | 'dbFor' | 'pubsub' | 'log'>): Remembered {
  const known = new Map<string, Known>();
  const put = (key: string, signedIn: SignedIn) => {
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
    known.set(key, { signedIn, goodAt: clock.now() });
  };

  /** One session or API token, all of a user, or all of them may have ended: those that have not are remembered again. */
  async function lookAgain(id?: string): Promise<void> {
    const isIt = ({ user, session }: SignedIn) => id === undefined || user.id === id || session.id === id;
    const outdated = [...known].filter(([, { signedIn }]) => isIt(signedIn));
    for (const [key] of outdated) known.delete(key);
    const ids = outdated.map(([, { signedIn }]) => signedIn.session.id);
    const stored = await readSessions(dbFor.sessions, ids);
    for (const [key, { signedIn }] of outdated) {
      const found = stored.get(signedIn.session.id);
      if (found !== undefined && isOpen(found, clock.now())) put(key, { ...signedIn, user: found.user });
    }
  }
  pubsub.subscribe('sessions_ended', (id) => {
    lookAgain(id).catch((error: unknown) => log.warn({ err: error }, 'sessions not looked up again'));
  });

  return {
    note: (token, signedIn) => put(keyOf(token), signedIn),
    of: (token) => {
      const found = known.get(keyOf(token));
      if (found === undefined) return null;
      const { signedIn, goodAt } = found;
      const now = clock.now();
      return now - goodAt <= GOOD_FOR_MS && now < signedIn.session.expiresAt ? signedIn : null;
    },
    confirm: (sessions) => {
      const good = new Set(sessions.map(({ id }) => id));
      for (const [key, { signedIn }] of [...known]) if (good.has(signedIn.session.id)) put(key, signedIn);
    },
    forget: (token) => void known.delete(keyOf(token)),
  };
}

function keyOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
