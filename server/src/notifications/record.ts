import type { NotificationType } from '@dutchbook/contract/notifications.ts';
import type { Db, World } from '../world/world.ts';
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
): Promise<void> {
  const now = clock.now();
  const id = dice.uuid();
  await tx.insert(notifications).values({
    id,
    opportunityId,
    notificationType: type,
    message,
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    data,
  });
  await notices.tell(tx, 'notification_changed', id);
}
