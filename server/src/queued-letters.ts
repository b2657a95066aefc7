/** Writes the mails that wait in the queue. */
import { alertLetter } from './market/opportunities/alerts/mail-alerts.ts';
import { recoveryMail } from './people/login/recovery-mail.ts';
import type { MailWork } from './platform/mail/mail-queue.ts';
import type { Runtime } from './platform/runtime/runtime.ts';

/** Sends nothing where what the mail is about has gone meanwhile. */
export function queuedLetters(runtime: Runtime, webUrl: () => string): MailWork {
  return async (mail, signal) => {
    const letter =
      mail.letter === 'alert'
        ? await alertLetter(runtime, mail, webUrl())
        : await recoveryMail(runtime, mail, webUrl());
    if (letter !== null) await runtime.mail.send(letter, signal);
  };
}
