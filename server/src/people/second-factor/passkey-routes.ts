import * as contract from '@dutchbook/contract/second-factor.ts';
import { and, eq } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound, Refusal } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Session, UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { lockSession } from '../users/change.ts';
import { lockUser } from '../users/store.ts';
import { creationOptions, madePasskey, requirePlace } from './passkeys.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { forgetFactor, readFactor } from './store.ts';
import { passkeys } from './table.ts';

/** More than one user carries. */
const PASSKEYS_MAX = 20;
const NONE = { authenticator: null, keys: [] };

type RequirePassword = (user: UserRow, session: Session, password: string) => Promise<void>;

export function registerPasskeys(app: App, runtime: Runtime, requirePassword: RequirePassword): void {
  const { db } = runtime;

  route(app, contract.startPasskey, async ({ user, session, body, request }) => {
    const place = requirePlace(request);
    await requirePassword(user, session, body.password);
    const factor = (await readFactor(db, user.id)) ?? NONE;
    if (factor.keys.length >= PASSKEYS_MAX) throw new Conflict(`There are ${PASSKEYS_MAX} passkeys: delete one first`);
    return { options: await creationOptions(runtime, user, place, factor) };
  });

  route(app, contract.addPasskey, async ({ user, session, body, actor, request }) => {
    const made = await madePasskey(runtime, user, requirePlace(request), body.passkey);
    if (made === null) throw new Refusal(400, 'The passkey was not accepted. Start again.');
    const codes = await db.transaction(async (tx) => {
      await lockSession(tx, { user, session });
      const before = await readFactor(tx, user.id);
      const added = await tx
        .insert(passkeys)
        .values({ ...made, name: body.name })
        .onConflictDoNothing()
        .returning({ id: passkeys.credentialId });
      if (added.length === 0) throw new Conflict('The passkey is known already');
      const shown = before === null ? await replaceRecoveryCodes(tx, runtime, user.id) : [];
      await recordAction(tx, runtime, actor, {
        ...{ action: 'passkey.added', object: user.email, after: { name: body.name } },
      });
      return shown;
    });
    await app.sessions.prove(session);
    return { recovery_codes: codes };
  });

  route(app, contract.deletePasskey, async ({ user, params, actor }) => {
    await db.transaction(async (tx) => {
      await lockUser(tx, user.id);
      const [deleted] = await tx
        .delete(passkeys)
        .where(and(eq(passkeys.credentialId, params.credential_id), eq(passkeys.userId, user.id)))
        .returning({ name: passkeys.name });
      if (deleted === undefined) throw new NotFound('Passkey not found');
      if ((await readFactor(tx, user.id)) === null) await forgetFactor(tx, user);
      await recordAction(tx, runtime, actor, { action: 'passkey.deleted', object: user.email, before: deleted });
    });
    return { message: 'Passkey deleted' };
  });
}
