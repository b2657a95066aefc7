import { readMe } from '@dutchbook/contract/current-user.ts';
import { deleteMe, updateMe, updateMyPassword } from '@dutchbook/contract/users.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { countAttempts, refuseTooMany } from '../../platform/http/attempts.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import {
  changeUser,
  fieldsAfter,
  lockCaller,
  lockSession,
  refusingTaken,
  removeUser,
  TAKEN_BY_CHANGE,
} from './change.ts';
import type { Passwords } from './passwords.ts';
import { presentUser } from './present.ts';
import { setPassword } from './store.ts';

/** Wrong current passwords for one account, wherever they come from: who has a stolen session is not to guess it. */
const WRONG_PASSWORDS = { count: 5, windowMs: 15 * 60_000 };

/** What each user may do with their own account. */
export function registerOwnAccount(app: App, runtime: Runtime, passwords: Passwords): void {
  route(app, readMe, async ({ user }) => ({
    ...presentUser(user),
    ...((await app.guard.isMissing(user)) && { second_factor_missing: true as const }),
  }));

  route(app, updateMe, async ({ body: { email, full_name }, user, session, actor }) => {
    const change = () =>
      runtime.db.transaction(async (tx) => {
        const before = await lockSession(tx, { user, session });
        return changeUser(tx, runtime, actor, before, fieldsAfter(before, { email, full_name }));
      });
    return presentUser(await refusingTaken(...TAKEN_BY_CHANGE, change));
  });

  route(app, deleteMe, async ({ user, session, actor }) => {
    await runtime.db.transaction(async (tx) => {
      const before = await lockSession(tx, { user, session });
      if (before.isSuperuser) throw new Refusal(403, 'Super users are not allowed to delete themselves');
      await removeUser(tx, runtime, actor, before);
    });
    return { message: 'User deleted successfully' };
  });

  registerOwnPassword(app, runtime, passwords);
}

function registerOwnPassword(app: App, runtime: Runtime, passwords: Passwords): void {
  const failures = countAttempts(runtime.clock, WRONG_PASSWORDS);

  route(app, updateMyPassword, async ({ body, user, session, actor }) => {
    if (runtime.config.rateLimit) {
      refuseTooMany(failures, user.id);
      // Counted before the password is known to be wrong: many at once are many.
      failures.count(user.id);
    }
    const matches = await passwords.matches(user.passwordHash, body.current_password);
    if (!matches) throw new Refusal(400, 'Incorrect password');
    failures.forget(user.id);
    if (body.new_password === body.current_password)
      throw new Refusal(400, 'New password cannot be the same as the current one');
    const passwordHash = await passwords.hash(body.new_password);
    await runtime.db.transaction(async (tx) => {
      const before = await lockCaller(tx, user);
      // Set by a superuser, or in another tab, since the current one was checked.
      if (before.sessionEpoch !== user.sessionEpoch) throw new Refusal(400, 'Incorrect password');
      await setPassword(tx, user.id, passwordHash, session.id);
      await recordAction(tx, runtime, actor, { action: 'password.changed', object: before.email });
    });
    return { message: 'Password updated successfully' };
  });
}
