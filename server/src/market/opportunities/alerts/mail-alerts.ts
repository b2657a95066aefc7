/** Sends what alerts have said to the email of their owners, for those who asked for that. */
import { eq, isNotNull } from 'drizzle-orm';
import { readNotification } from '../../../people/notifications/store.ts';
import { users } from '../../../people/users/table.ts';
import { composeLetter } from '../../../platform/mail/compose.ts';
import type { MailQueue, QueuedMail } from '../../../platform/mail/mail-queue.ts';
import type { Letter } from '../../../platform/runtime/mail.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { opportunityAlerts } from './table.ts';

const QUEUE_EVERY_MS = 5_000;
const QUEUED_AT_ONCE = 100;

/** Puts into the queue of mails what alerts have said since. @returns what stops it */
export function queueAlertMails(runtime: Pick<Runtime, 'db' | 'timers'>, mails: MailQueue): () => void {
  return runtime.timers.every(QUEUE_EVERY_MS, () => queueDue(runtime, mails));
}

async function queueDue({ db }: Pick<Runtime, 'db'>, mails: MailQueue): Promise<void> {
  await db.transaction(async (tx) => {
    const due = await tx
      .select({ id: opportunityAlerts.id, notificationId: opportunityAlerts.mailDue, email: users.email })
      .from(opportunityAlerts)
      .innerJoin(users, eq(users.id, opportunityAlerts.userId))
      .where(isNotNull(opportunityAlerts.mailDue))
      .limit(QUEUED_AT_ONCE)
      .for('update', { of: opportunityAlerts, skipLocked: true });
    for (const { id, notificationId, email } of due) {
      if (notificationId !== null) await mails.add(tx, { letter: 'alert', email, notificationId });
      await tx.update(opportunityAlerts).set({ mailDue: null }).where(eq(opportunityAlerts.id, id));
    }
  });
}

/** @returns null where the notification was deleted meanwhile */
export async function alertLetter(
  { db }: Pick<Runtime, 'db'>,
  { email, notificationId }: Extract<QueuedMail, { letter: 'alert' }>,
  webUrl: string,
): Promise<Letter | null> {
  const notification = await readNotification(db, notificationId);
  if (notification === null) return null;
  const { message, opportunityId } = notification;
  return composeLetter(email, {
    subject: 'An opportunity has reached your alert',
    paragraphs: [message],
    link: { label: 'Open the opportunity', url: `${webUrl}/arbitrage/${opportunityId}` },
    afterLink: ['You asked for this mail. Alerts are deleted in the settings of your account, under Notifications.'],
  });
}
