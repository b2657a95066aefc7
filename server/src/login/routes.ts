import { createAccessToken, testToken } from '@dutchbook/contract/login.ts';
import { type Action, type Actor, recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Refusal } from '../http/errors.ts';
import { actorOf, route } from '../http/route.ts';
import { presentUser } from '../users/present.ts';
import { readUserByEmail } from '../users/store.ts';
import type { World } from '../world/world.ts';
import { countAttempts, networkOf, refuseTooMany } from './attempts.ts';
import type { Passwords } from './passwords.ts';

/** Wrong passwords for one account from one network: nobody elsewhere is locked out by them. */
const FAILURES = { count: 5, windowMs: 15 * 60_000 };
/** Sign-ins from one address, right or wrong, for whatever account. */
const FROM_ADDRESS = { count: 20, windowMs: 60_000 };

export function registerLogin(app: App, world: World, passwords: Passwords): void {
  const { config, clock, db } = world;
  const failures = countAttempts(clock, FAILURES);
  const fromAddress = countAttempts(clock, FROM_ADDRESS);
  const record = (by: Actor, action: Action) => db.transaction((tx) => recordAction(tx, world, by, action));

  route(app, createAccessToken, async ({ body, request, actor }) => {
    const network = networkOf(request.ip);
    const account = `${network} ${body.username.toLowerCase()}`;
    if (config.rateLimit) {
      refuseTooMany(fromAddress, network);
      refuseTooMany(failures, account);
      fromAddress.count(network);
      // Counted before the password is known to be wrong: many at once are many.
      failures.count(account);
    }
    const user = await readUserByEmail(db, body.username);
    const matches = await passwords.matches(user?.passwordHash ?? null, body.password);
    if (matches) failures.forget(account);
    if (!user?.isActive || !matches) {
      // Whoever it was, so that how long this takes does not tell whether there is such an account.
      await record(actor, { action: 'session.refused', object: body.username });
      throw new Refusal(400, matches ? 'Inactive user' : 'Incorrect email or password');
    }
    await record(actorOf(user, request), { action: 'session.opened' });
    return { access_token: await app.sessions.issue(user), token_type: 'bearer' as const };
  });

  route(app, testToken, ({ user }) => presentUser(user));
}
