import type { NotificationType } from '@dutchbook/contract/notifications.ts';
import type { Db, World } from '../world/world.ts';
import type { Writes } from '../world/write-together.ts';
import type { NotificationRow } from './store.ts';
import { notifications } from './table.ts';

/** What people are to be told. `data` is as clients read it: quantities are plain JSON numbers. */
export type News = {
  type: NotificationType;
  opportunityId: string | null;
  message: string;
  data: Record<string, unknown>;
};

type NotificationWorld = Pick<World, 'clock' | 'dice' | 'notices'>;

/** Records a notification in the transaction that records what it tells of, so that there is one of each or neither. */
export async function recordNotification(tx: Db, world: NotificationWorld, news: News): Promise<NotificationRow> {
  const [row] = await tx.insert(notifications).values(rowOf(world, news)).returning();
  if (!row) throw new Error('a notification was inserted without a row');
  await world.notices.tell(tx, 'notification_changed', row.id);
  return row;
}

/** The same of several, for `writeTogether`. */
export function notificationWrites(tx: Db, world: NotificationWorld, news: readonly News[]): Writes {
  const rows = news.map((each) => rowOf(world, each));
  return {
    writes: [tx.insert(notifications).values(rows)],
    calls: rows.map(({ id }) => world.notices.telling('notification_changed', id)),
  };
}

function rowOf(
  { clock, dice }: NotificationWorld,
  { type, opportunityId, message, data }: News,
): typeof notifications.$inferInsert {
  const now = clock.now();
  return {
    id: dice.uuid(),
    opportunityId,
    notificationType: type,
    message,
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    data,
  };
}
