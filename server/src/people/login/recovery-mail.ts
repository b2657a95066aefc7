import type { MailWork } from '../../platform/mail/mail-queue.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockUser, readUserByEmail } from '../users/store.ts';
import { recoveryLetter } from './recovery-letter.ts';
import { makeResetToken } from './reset-tokens.ts';

/** Mails a link for a new password, if the email has an active account. Only here is that looked up. */
export function recoveryMailWork(runtime: Runtime, webUrl: () => string): MailWork {
  return async ({ email, address }, signal) => {
    const made = await runtime.db.transaction((tx) => tokenFor(tx, runtime, email));
    if (made === null) {
      runtime.log.debug('password recovery asked for an unknown email');
      return;
    }
    const askedBy = `Somebody at the network address ${address}`;
    await runtime.mail.send(recoveryLetter(made.email, askedBy, webUrl(), made.token), signal);
  };
}

async function tokenFor(tx: Db, runtime: Runtime, email: string): Promise<{ email: string; token: string } | null> {
  const found = await readUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user?.isActive) return null;
  return { email: user.email, token: await makeResetToken(tx, runtime, user.id) };
}
