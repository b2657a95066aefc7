import { recordAction } from '../../platform/audit/record.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { endedSession, endedSessions } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { KeptStop, Stop } from '../../platform/runtime/stops.ts';
import { readUser } from '../users/store.ts';
import { endSessions } from './session-store.ts';

type Ending = Pick<Runtime, 'clock' | 'db' | 'dbFor' | 'random'>;

/** Ends the sessions that the subject names, and answers how many. @throws NotFound */
export function endingStop(
  runtime: Ending,
  { subject, askedAt, actor }: Pick<KeptStop, 'subject' | 'askedAt' | 'actor'>,
): Stop<number> {
  const { clock, dbFor } = runtime;
  const one = endedSession(subject);
  const several = one === null ? endedSessions(subject) : null;
  // Who logs out ends their own.
  const userId = several?.userId ?? one?.ownerId ?? actor.id ?? '';
  const which = one === null ? { but: several?.kept ?? null } : { only: one.id };
  const store = async () => {
    const user = await readUser(dbFor.stops, userId);
    if (user === null) throw new NotFound('User not found');
    const count = await dbFor.stops.transaction(async (tx) => {
      const ended = await endSessions(tx, user, clock.now(), which);
      if (ended > 0)
        await recordAction(tx, runtime, actor, {
          action: 'session.ended',
          object: user.email,
          after: { count: ended },
        });
      return ended;
    });
    if (one !== null && one.ownerId !== null && count === 0) throw new NotFound('Session not found');
    return count;
  };
  return { action: 'session.ended', subject, askedAt, actor, store };
}
