import { createAccessToken } from '@dutchbook/contract/login.ts';
import type { App } from '../http/app.ts';
import { Refusal, TooMany } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { readUserByEmail } from '../users/store.ts';
import type { World } from '../world/world.ts';
import { type Attempts, countAttempts } from './attempts.ts';
import { type Passwords, TooManyPasswords } from './passwords.ts';

/** Wrong passwords for one account from one address: nobody elsewhere is locked out by them. */
const FAILURES = { count: 5, windowMs: 15 * 60_000 };
/** Sign-ins from one address, right or wrong, for whatever account. */
const FROM_ADDRESS = { count: 20, windowMs: 60_000 };

export function registerLogin(app: App, { config, clock, db }: World, passwords: Passwords): void {
  const failures = countAttempts(clock, FAILURES);
  const fromAddress = countAttempts(clock, FROM_ADDRESS);

  route(app, createAccessToken, async ({ body, request }) => {
    const account = `${request.ip} ${body.username.toLowerCase()}`;
    if (config.rateLimit) {
      refuseTooMany(fromAddress, request.ip);
      refuseTooMany(failures, account);
      fromAddress.count(request.ip);
      // Counted before the password is known to be wrong: many at once are many.
      failures.count(account);
    }
    const user = await readUserByEmail(db, body.username);
    const matches = await checkInTurn(passwords, user?.passwordHash ?? null, body.password);
    if (!user || !matches) throw new Refusal(400, 'Incorrect email or password');
    failures.forget(account);
    if (!user.isActive) throw new Refusal(400, 'Inactive user');
    return { access_token: await app.sessions.issue(user), token_type: 'bearer' as const };
  });
}

function refuseTooMany(attempts: Attempts, key: string): void {
  const waitMs = attempts.waitMs(key);
  if (waitMs > 0) throw new TooMany('Too many attempts. Try again later.', Math.ceil(waitMs / 1000));
}

async function checkInTurn(passwords: Passwords, passwordHash: string | null, password: string): Promise<boolean> {
  try {
    return await passwords.matches(passwordHash, password);
  } catch (error) {
    if (error instanceof TooManyPasswords) throw new TooMany('Too many sign-ins at once. Try again later.', 1);
    throw error;
  }
}
