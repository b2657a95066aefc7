import * as contract from '@dutchbook/contract/api-tokens.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Conflict, Invalid, NotFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { Actor } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
import { lockSession } from '../users/change.ts';
import { presentApiToken } from './present.ts';
import { deleteApiToken, insertApiToken, listAllLive, listApiTokensOf } from './store.ts';

const NO_MORE = `You have ${contract.API_TOKENS_PER_USER} API tokens already: revoke one first`;

export function registerApiTokens(app: App, runtime: Runtime): void {
  const { clock, db } = runtime;

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

  const revoke = async (id: string, ownerId: string | null, actor: Actor) => {
    await db.transaction(async (tx) => {
      const revoked = await deleteApiToken(tx, id, ownerId);
      if (revoked === null) throw new NotFound('API token not found');
      const { user, token } = revoked;
      await recordAction(tx, runtime, actor, {
        action: 'token.revoked',
        object: token.name,
        before: { id, owner: user.email, scope: token.scope },
      });
    });
    return { message: 'API token revoked' };
  };

  route(app, contract.revokeApiToken, ({ params, user, actor }) => revoke(params.token_id, user.id, actor));

  route(app, contract.listAllApiTokens, async ({ query }) => {
    const { rows, count } = await listAllLive(db, clock.now(), query);
    return { data: rows.map(({ user, token }) => ({ ...presentApiToken(token), owner: user.email })), count };
  });

  route(app, contract.revokeAnyApiToken, ({ params, actor }) => revoke(params.token_id, null, actor));
}
