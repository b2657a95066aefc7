import { RECOVERY_MESSAGE, readRecoveryHtml, recoverPassword, resetPassword } from '@dutchbook/contract/login.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { countAttempts, networkOf, refuseTooMany } from '../../platform/http/attempts.ts';
import { addressOf } from '../../platform/http/caller-address.ts';
import { NotFound, Refusal } from '../../platform/http/errors.ts';
import { actorOf, route } from '../../platform/http/route.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { Passwords } from '../users/passwords.ts';
import { lockUser, readUserByEmail, setPassword } from '../users/store.ts';
import { recoveryLetter } from './recovery-letter.ts';
import { makeResetToken, takeResetToken } from './reset-tokens.ts';

/** Mails to one email, whether or not it has an account, from any caller. */
const TO_EMAIL = { count: 3, windowMs: 60 * 60_000 };
const RECOVERIES_FROM_ADDRESS = { count: 20, windowMs: 60 * 60_000 };
const RESETS_FROM_ADDRESS = { count: 20, windowMs: 15 * 60_000 };

export type RecoveryParts = {
  passwords: Passwords;
  mailQueue: MailQueue;
  /** Where people open the product; known once it listens. */
  webUrl: () => string;
};

export function registerRecovery(app: App, runtime: Runtime, { passwords, mailQueue, webUrl }: RecoveryParts): void {
  registerAsking(app, runtime, mailQueue);
  registerReading(app, runtime, webUrl);
  registerReset(app, runtime, passwords);
}

function registerAsking(app: App, runtime: Runtime, mailQueue: MailQueue): void {
  const toEmail = countAttempts(runtime.clock, TO_EMAIL);
  const fromAddress = countAttempts(runtime.clock, RECOVERIES_FROM_ADDRESS);

  // Nothing here depends on whether the email has an account: the answer cannot tell, neither by words nor by time.
  route(app, recoverPassword, async ({ params: { email }, request, actor }) => {
    const account = email.toLowerCase();
    if (runtime.config.rateLimit) {
      const network = networkOf(addressOf(request));
      refuseTooMany(fromAddress, network);
      refuseTooMany(toEmail, account);
      fromAddress.count(network);
      toEmail.count(account);
    }
    await runtime.db.transaction(async (tx) => {
      await mailQueue.add(tx, { letter: 'password_recovery', email, address: addressOf(request) });
      await recordAction(tx, runtime, actor, { action: 'password.recovery_requested', object: email });
    });
    return { message: RECOVERY_MESSAGE };
  });
}

function registerReading(app: App, runtime: Runtime, webUrl: () => string): void {
  route(app, readRecoveryHtml, async ({ params, user: caller, actor, reply }) => {
    const letter = await runtime.db.transaction(async (tx) => {
      const found = await readUserByEmail(tx, params.email);
      const user = found && (await lockUser(tx, found.id));
      if (!user) throw new NotFound('User not found');
      if (!user.isActive) throw new Refusal(400, 'Inactive user');
      const token = await makeResetToken(tx, runtime, user.id);
      await recordAction(tx, runtime, actor, { action: 'password.recovery_shown', object: user.email });
      return recoveryLetter(user.email, caller.email, webUrl(), token);
    });
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(letter.html);
  });
}

function registerReset(app: App, runtime: Runtime, passwords: Passwords): void {
  const fromAddress = countAttempts(runtime.clock, RESETS_FROM_ADDRESS);

  route(app, resetPassword, async ({ body, request }) => {
    if (runtime.config.rateLimit) {
      const network = networkOf(addressOf(request));
      refuseTooMany(fromAddress, network);
      fromAddress.count(network);
    }
    // Before the token is looked at, so that a bad one takes as long as a good one.
    const passwordHash = await passwords.hash(body.new_password);
    await runtime.db.transaction(async (tx) => {
      const user = await takeResetToken(tx, runtime, body.token);
      if (!user) throw new Refusal(400, 'Invalid token');
      if (!user.isActive) throw new Refusal(400, 'Inactive user');
      await setPassword(tx, user.id, passwordHash, null);
      await recordAction(tx, runtime, actorOf(user, request), { action: 'password.reset', object: user.email });
    });
    return { message: 'Password updated successfully' };
  });
}
