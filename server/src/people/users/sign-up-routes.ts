import { readSignUpPolicy, signUp } from '@dutchbook/contract/users.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { countAttempts, networkOf, refuseTooMany } from '../../platform/http/attempts.ts';
import { addressOf } from '../../platform/http/caller-address.ts';
import { Conflict } from '../../platform/http/errors.ts';
import { actorOf, route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { refusingTaken } from './change.ts';
import type { Passwords } from './passwords.ts';
import { presentUser } from './present.ts';
import { insertUser } from './store.ts';

/** Tries from one address, whatever comes of them: each costs a core for a moment, and tells whether an email is taken. */
const FROM_ADDRESS = { count: 20, windowMs: 60 * 60_000 };

export function registerSignUp(app: App, runtime: Runtime, passwords: Passwords): void {
  const { config, clock, db } = runtime;
  const fromAddress = countAttempts(clock, FROM_ADDRESS);

  route(app, readSignUpPolicy, () => ({ policy: config.signUp }));

  route(app, signUp, async ({ body, request }) => {
    if (config.signUp === 'off') throw new Conflict('New accounts are not open here');
    if (config.rateLimit) {
      const network = networkOf(addressOf(request));
      refuseTooMany(fromAddress, network);
      fromAddress.count(network);
    }
    const fields = {
      email: body.email,
      fullName: body.full_name,
      passwordHash: await passwords.hash(body.password),
      isSuperuser: false,
      isViewer: false,
      isActive: config.signUp === 'open',
    };
    const create = () =>
      db.transaction(async (tx) => {
        const user = await insertUser(tx, runtime, fields);
        await recordAction(tx, runtime, actorOf(user, request), {
          action: 'user.signed_up',
          object: user.email,
          after: presentUser(user),
        });
        return user;
      });
    return presentUser(await refusingTaken(400, 'The user with this email already exists in the system', create));
  });
}
