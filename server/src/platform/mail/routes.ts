import { sendTestEmail } from '@dutchbook/contract/login.ts';
import { recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Refusal } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { composeLetter } from './compose.ts';
import { MailNotSent } from './mail-not-sent.ts';

export function registerMail(app: App, runtime: Runtime): void {
  // Sent while the caller waits, and not queued: what goes wrong is the answer to what was asked.
  route(app, sendTestEmail, async ({ query, user, actor }) => {
    await runtime.db.transaction((tx) =>
      recordAction(tx, runtime, actor, { action: 'email.tested', object: query.email_to }),
    );
    const letter = composeLetter(query.email_to, {
      subject: 'Test email from Dutchbook',
      paragraphs: [
        `${user.email} asked Dutchbook to send this email, to see whether its mail arrives. It does.`,
        'There is nothing for you to do.',
      ],
    });
    try {
      await runtime.mail.send(letter);
    } catch (error) {
      if (error instanceof MailNotSent) throw new Refusal(502, `The email was not sent: ${error.message}`);
      throw error;
    }
    return { message: 'Test email sent' };
  });
}
