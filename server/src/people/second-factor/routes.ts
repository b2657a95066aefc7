import * as contract from '@dutchbook/contract/second-factor.ts';
import { eq, sql } from 'drizzle-orm';
import { type Action, recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { countAttempts, refuseTooMany } from '../../platform/http/attempts.ts';
import { Conflict, NotFound, Refusal } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor, Session, UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockSession } from '../users/change.ts';
import type { Passwords } from '../users/passwords.ts';
import { lockUser, tellSessionsEnded } from '../users/store.ts';
import { users } from '../users/table.ts';
import { registerPasskeys } from './passkey-routes.ts';
import { requestOptions, requirePlace } from './passkeys.ts';
import { proveUnconfirmed } from './prove.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { prove } from './sign-in.ts';
import { confirm, forgetFactor, presentFactor, readFactor, storeUnconfirmed } from './store.ts';
import { authenticatorUri, secretText } from './totp.ts';

const SECRET_BYTES = 20;
/** Wrong passwords and codes in one session: guesses in a stolen session lock out no other session. */
const FAILURES = { count: 5, windowMs: 15 * 60_000 };
/** In all sessions of an account together: who has many stolen ones guesses no faster than from many networks. */
const FAILURES_OF_ALL = { count: 30, windowMs: 15 * 60_000 };

export function registerSecondFactor(app: App, runtime: Runtime, passwords: Passwords): void {
  const { db } = runtime;
  const failures = countAttempts(runtime.clock, FAILURES);
  const failuresOfAll = countAttempts(runtime.clock, FAILURES_OF_ALL);
  /** Counts what may be a guess, before it is known to be wrong. @returns what forgets that */
  const guess = ({ id, userId }: Session): (() => void) => {
    if (!runtime.config.rateLimit) return () => {};
    refuseTooMany(failures, id);
    refuseTooMany(failuresOfAll, userId);
    failures.count(id);
    failuresOfAll.count(userId);
    return () => failures.forget(id);
  };
  const requirePassword = async (user: UserRow, session: Session, password: string) => {
    const forget = guess(session);
    if (!(await passwords.matches(user.passwordHash, password))) throw new Refusal(400, 'Incorrect password');
    forget();
  };
  const record = (actor: Actor, action: Action) => db.transaction((tx) => recordAction(tx, runtime, actor, action));
  /** @throws Refusal */
  const refuse = async (actor: Actor, refusal: string): Promise<never> => {
    await record(actor, { action: 'second_factor.refused', after: { reason: refusal } });
    throw new Refusal(400, refusal);
  };

  route(app, contract.readSecondFactor, ({ user }) => presentFactor(db, user.id));

  route(app, contract.startAuthenticator, async ({ user, session, body }) => {
    await requirePassword(user, session, body.password);
    const secret = secretText(runtime.random.bytes(SECRET_BYTES));
    if (!(await storeUnconfirmed(db, runtime, user.id, secret)))
      throw new Conflict('The account has an authenticator already');
    return { secret, uri: authenticatorUri(secret, user.email) };
  });

  route(app, contract.confirmAuthenticator, async ({ user, session, actor, body }) => {
    const forget = guess(session);
    const proof = await proveUnconfirmed(runtime, user, body.code);
    if ('refusal' in proof) return refuse(actor, proof.refusal);
    forget();
    const codes = await db.transaction(async (tx) => {
      await lockSession(tx, { user, session });
      await confirm(tx, runtime, user.id);
      const shown = await replaceRecoveryCodes(tx, runtime, user.id);
      await recordAction(tx, runtime, actor, { action: 'second_factor.enabled', object: user.email });
      return shown;
    });
    await app.sessions.prove(session);
    return { recovery_codes: codes };
  });

  route(app, contract.renewRecoveryCodes, async ({ user, actor }) => {
    if ((await readFactor(db, user.id)) === null) throw new Conflict('There is no second factor');
    const codes = await db.transaction(async (tx) => {
      const shown = await replaceRecoveryCodes(tx, runtime, user.id);
      await recordAction(tx, runtime, actor, { action: 'recovery_codes.renewed', object: user.email });
      return shown;
    });
    return { recovery_codes: codes };
  });

  route(app, contract.disableSecondFactor, async ({ user, actor }) => {
    await db.transaction(async (tx) => {
      if (!(await forgetAll(tx, user))) return;
      await recordAction(tx, runtime, actor, { action: 'second_factor.disabled', object: user.email });
    });
    return { message: 'The password alone opens the account from now on' };
  });

  route(app, contract.proveSecondFactor, async ({ user, session, actor, body, request }) => {
    const factor = await readFactor(db, user.id);
    if (factor === null) throw new Conflict('There is no second factor');
    const forget = guess(session);
    const proof = await prove(runtime, { user, request }, factor, body, 'proof');
    if ('refusal' in proof) return refuse(actor, proof.refusal);
    forget();
    await app.sessions.prove(session);
    await record(actor, { action: 'second_factor.proven', after: { by: proof.by } });
    return { message: 'Proven' };
  });

  route(app, contract.startProof, async ({ user, request }) => {
    const factor = await readFactor(db, user.id);
    if (factor === null || factor.keys.length === 0) throw new Conflict('There is no passkey');
    return { options: await requestOptions(runtime, user, requirePlace(request), factor, 'proof') };
  });

  route(app, contract.resetSecondFactor, async ({ params, actor }) => {
    await db.transaction(async (tx) => {
      const user = await lockUser(tx, params.user_id);
      if (user === null) throw new NotFound('User not found');
      await forgetAll(tx, user);
      const ended = { sessionEpoch: sql`${users.sessionEpoch} + 1`, keptSession: null };
      await tx.update(users).set(ended).where(eq(users.id, user.id));
      await tellSessionsEnded(tx, user.id);
      await recordAction(tx, runtime, actor, { action: 'second_factor.reset', object: user.email });
    });
    return { message: 'The second factor is gone, and their sessions have ended' };
  });

  registerPasskeys(app, runtime, requirePassword);
}

/** @returns whether there was one */
async function forgetAll(tx: Db, user: UserRow): Promise<boolean> {
  const before = await readFactor(tx, user.id);
  await forgetFactor(tx, user);
  return before !== null;
}
