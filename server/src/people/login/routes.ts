import { testToken } from '@dutchbook/contract/current-user.ts';
import { createAccessToken } from '@dutchbook/contract/login.ts';
import { type Action, recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { countAttempts, networkOf, refuseTooMany } from '../../platform/http/attempts.ts';
import { addressOf } from '../../platform/http/caller-address.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { actorOf, route } from '../../platform/http/route.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { openSignInProof } from '../second-factor/sign-in.ts';
import type { Passwords } from '../users/passwords.ts';
import { presentUser } from '../users/present.ts';
import { readUserByEmail } from '../users/store.ts';
import { openDevices } from './devices.ts';
import { registerSessions } from './session-routes.ts';

/** Wrong passwords for one account from one network: they lock out no other network. */
const FAILURES = { count: 5, windowMs: 15 * 60_000 };
/** Sign-ins from one address, right or wrong, for whatever account. */
const FROM_ADDRESS = { count: 20, windowMs: 60_000 };

export function registerLogin(app: App, runtime: Runtime, passwords: Passwords): void {
  const { config, clock, db } = runtime;
  const failures = countAttempts(clock, FAILURES);
  const fromAddress = countAttempts(clock, FROM_ADDRESS);
  const devices = openDevices(runtime);
  const proveAtSignIn = openSignInProof(runtime);
  const record = (by: Actor, action: Action) => db.transaction((tx) => recordAction(tx, runtime, by, action));
  /** `network`: of a device that has not logged in to the account before. @throws TooMany */
  const attempt = (account: string, network: string | null) => {
    if (network !== null) refuseTooMany(fromAddress, network);
    refuseTooMany(failures, account);
    if (network !== null) fromAddress.count(network);
    // Counted before the password is known to be wrong: many at once are many.
    failures.count(account);
  };

  route(app, createAccessToken, async ({ body, request, actor }) => {
    const network = networkOf(addressOf(request));
    const user = await readUserByEmail(db, body.username);
    const isKnownDevice = await devices.isKnown(user, body.device_token);
    // What others in the same network try does not shut out those that have logged in to this account before: they are
    // counted together, so that who has collected many of their tokens guesses no more often than with one.
    const account = isKnownDevice ? `devices of ${user?.id}` : `${network} ${body.username.toLowerCase()}`;
    if (config.rateLimit) attempt(account, isKnownDevice ? null : network);
    const matches = await passwords.matches(user?.passwordHash ?? null, body.password);
    if (matches) failures.forget(account);
    if (!user?.isActive || !matches) {
      // Also without an account, so that the duration does not reveal whether there is one.
      await record(actor, { action: 'session.refused', object: body.username });
      throw new Refusal(400, matches ? 'Inactive user' : 'Incorrect email or password');
    }
    const counted = { key: account, isKnownDevice };
    const provenBy = await proveAtSignIn({ user, request, actor, counted }, body);
    await record(actorOf(user, request), {
      action: 'session.opened',
      ...(provenBy && { after: { second_factor: provenBy } }),
    });
    const isFirst = await devices.areNone(user);
    return {
      access_token: await app.sessions.issue(user, {
        address: addressOf(request),
        device: request.headers['user-agent'] ?? 'unknown',
        proven: provenBy !== null,
      }),
      token_type: 'bearer' as const,
      device_token: await devices.note(user, isKnownDevice ? body.device_token : undefined),
      ...(isFirst && { first_login: true as const }),
    };
  });

  registerSessions(app, runtime);

  route(app, testToken, ({ user }) => presentUser(user));
}
