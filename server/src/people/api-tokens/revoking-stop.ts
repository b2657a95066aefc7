import { recordAction } from '../../platform/audit/record.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { endedSession } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { KeptStop, Stop } from '../../platform/runtime/stops.ts';
import { deleteApiToken } from './store.ts';

type Revoking = Pick<Runtime, 'clock' | 'db' | 'dbFor' | 'random'>;

/** Revokes the API token that the subject names. @throws NotFound */
export function revokingStop(
  runtime: Revoking,
  { subject, askedAt, actor }: Pick<KeptStop, 'subject' | 'askedAt' | 'actor'>,
): Stop<void> {
  const store = () =>
    runtime.dbFor.stops.transaction(async (tx) => {
      const named = endedSession(subject);
      const revoked = named && (await deleteApiToken(tx, named.id, named.ownerId));
      if (revoked === null) throw new NotFound('API token not found');
      const { user, token } = revoked;
      await recordAction(tx, runtime, actor, {
        action: 'token.revoked',
        object: token.name,
        before: { id: token.id, owner: user.email, scope: token.scope },
      });
    });
  return { action: 'token.revoked', subject, askedAt, actor, store };
}
