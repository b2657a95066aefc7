import { sendTestEmail } from '@dutchbook/contract/login.ts';
import { recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Refusal } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { MailNotSent } from '../world/mail-not-sent.ts';
import type { World } from '../world/world.ts';
import { composeLetter } from './compose.ts';

export function registerMail(app: App, world: World): void {
  // Sent while the caller waits, and not queued: what goes wrong is the answer to what was asked.
  route(app, sendTestEmail, async ({ query, user, actor }) => {
    await world.db.transaction((tx) =>
      recordAction(tx, world, actor, { action: 'email.tested', object: query.email_to }),
    );
    const letter = composeLetter(query.email_to, {
      subject: 'Test email from Dutchbook',
      paragraphs: [
        `${user.email} asked Dutchbook to send this email, to see whether its mail arrives. It does.`,
        'There is nothing for you to do.',
      ],
    });
    try {
      await world.mail.send(letter);
    } catch (error) {
      if (error instanceof MailNotSent) throw new Refusal(502, `The email was not sent: ${error.message}`);
      throw error;
    }
    return { message: 'Test email sent' };
  });
}
