import type { MailWork } from '../mail/mail-queue.ts';
import { lockUser, readUserByEmail } from '../users/store.ts';
import type { Db, World } from '../world/world.ts';
import { recoveryLetter } from './recovery-letter.ts';
import { makeResetToken } from './reset-tokens.ts';

/** Mails a link to whoever asked for a new password, if the email has an active account. Only here is that looked up. */
export function recoveryMailWork(world: World, webUrl: () => string): MailWork {
  return async ({ email, address }, signal) => {
    const made = await world.db.transaction((tx) => tokenFor(tx, world, email));
    if (made === null) {
      world.log.debug('No active account by the email that a new password was asked for');
      return;
    }
    const askedBy = `Somebody at the network address ${address}`;
    await world.mail.send(recoveryLetter(made.email, askedBy, webUrl(), made.token), signal);
  };
}

async function tokenFor(tx: Db, world: World, email: string): Promise<{ email: string; token: string } | null> {
  const found = await readUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user?.isActive) return null;
  return { email: user.email, token: await makeResetToken(tx, world, user.id) };
}
