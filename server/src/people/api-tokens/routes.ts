import * as contract from '@dutchbook/contract/api-tokens.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, Invalid } from '../../platform/http/errors.ts';
import { type Call, route } from '../../platform/http/route.ts';
import { answerHeld, sessionSubject } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { lockSession } from '../users/change.ts';
import { presentApiToken } from './present.ts';
import { revokingStop } from './revoking-stop.ts';
import { insertApiToken, listAllLive, listApiTokensOf } from './store.ts';

const NO_MORE = `You have ${contract.API_TOKENS_PER_USER} API tokens already: revoke one first`;

type Revoking = Pick<Call, 'actor' | 'reply'>;

export function registerApiTokens(app: App, runtime: Runtime): void {
  const { clock, db, dbFor, stops } = runtime;

  route(app, contract.listApiTokens, async ({ user }) => {
    const rows = await listApiTokensOf(db, user, clock.now());
    return { data: rows.map(presentApiToken) };
  });

  route(app, contract.createApiToken, async ({ body, user, session, actor }) => {
    if (body.scope === 'admin' && !user.isSuperuser)
      throw new Invalid(['body', 'scope'], 'Only superusers have tokens of the scope admin');
    if (body.scope !== 'read' && user.isViewer)
      throw new Invalid(['body', 'scope'], 'Viewers have tokens of the scope read only');
    return db.transaction(async (tx) => {
      const made = await insertApiToken(tx, runtime, await lockSession(tx, { user, session }), body);
      if (made === null) throw new Conflict(NO_MORE);
      const { id, name, scope, expires_at } = presentApiToken(made.row);
      await recordAction(tx, runtime, actor, {
        action: 'token.created',
        object: name,
        after: { id, scope, expires_at: instantToIso(expires_at) },
      });
      return { ...presentApiToken(made.row), token: made.token };
    });
  });

  const revoke = async (id: string, ownerId: string | null, { actor, reply }: Revoking) => {
    const subject = sessionSubject(id, ownerId ?? undefined);
    const revoked = await stops.carryOut(revokingStop(runtime, { subject, askedAt: clock.now(), actor }));
    if (revoked.kind === 'held')
      return answerHeld(reply, 'This process takes no more calls with the API token', revoked);
    return { message: 'API token revoked' };
  };

  route(app, contract.revokeApiToken, (call) => revoke(call.params.token_id, call.user.id, call));

  route(app, contract.listAllApiTokens, async ({ query }) => {
    const { rows, count } = await listAllLive(dbFor.lists, clock.now(), query);
    return { data: rows.map(({ user, token }) => ({ ...presentApiToken(token), owner: user.email })), count };
  });

  route(app, contract.revokeAnyApiToken, (call) => revoke(call.params.token_id, null, call));
}
