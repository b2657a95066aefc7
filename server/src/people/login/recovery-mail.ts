import type { QueuedMail } from '../../platform/mail/mail-queue.ts';
import type { Letter } from '../../platform/runtime/mail.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockUser, readUserByEmail } from '../users/store.ts';
import { recoveryLetter } from './recovery-letter.ts';
import { makeResetToken } from './reset-tokens.ts';

/** A link for a new password, if the email has an active account. Only here is that looked up. */
export async function recoveryMail(
  runtime: Runtime,
  { email, address }: Extract<QueuedMail, { letter: 'password_recovery' }>,
  webUrl: string,
): Promise<Letter | null> {
  const made = await runtime.db.transaction((tx) => tokenFor(tx, runtime, email));
  if (made === null) {
    runtime.log.debug('password recovery asked for an unknown email');
    return null;
  }
  return recoveryLetter(made.email, `A person at the network address ${address}`, webUrl, made.token);
}

async function tokenFor(tx: Db, runtime: Runtime, email: string): Promise<{ email: string; token: string } | null> {
  const found = await readUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user?.isActive) return null;
  return { email: user.email, token: await makeResetToken(tx, runtime, user.id) };
}
