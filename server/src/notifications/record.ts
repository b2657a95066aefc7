import type { NotificationType } from '@dutchbook/contract/notifications.ts';
import type { Db, World } from '../world/world.ts';
import type { NotificationRow } from './store.ts';
import { notifications } from './table.ts';

/** What people are to be told. `data` is as clients read it: quantities are plain JSON numbers. */
export type News = {
  type: NotificationType;
  opportunityId: string | null;
  message: string;
  data: Record<string, unknown>;
};

/** Records a notification in the transaction that records what it tells of, so that there is one of each or neither. */
export async function recordNotification(
  tx: Db,
  { clock, dice, notices }: Pick<World, 'clock' | 'dice' | 'notices'>,
  { type, opportunityId, message, data }: News,
): Promise<NotificationRow> {
  const now = clock.now();
  const [row] = await tx
    .insert(notifications)
    .values({
      id: dice.uuid(),
      opportunityId,
      notificationType: type,
      message,
      status: 'pending',
      createdAt: now,
      updatedAt: now,
      data,
    })
    .returning();
  if (!row) throw new Error('a notification was inserted without a row');
  await notices.tell(tx, 'notification_changed', row.id);
  return row;
}
