import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { NOTIFICATION_SORTS, NotificationStatus, NotificationType } from '@dutchbook/contract/notifications.ts';
import { and, count, eq, type SQL } from 'drizzle-orm';
import { orderedBy, textInsensitive } from '../world/ordering.ts';
import type { Db } from '../world/world.ts';
import { notifications } from './table.ts';

export type NotificationRow = typeof notifications.$inferSelect;

export type NotificationFilter = {
  status?: NotificationStatus | undefined;
  notificationType?: NotificationType | undefined;
  opportunityId?: string | undefined;
};

type NotificationSort = (typeof NOTIFICATION_SORTS)[number];

const SORT_COLUMNS = {
  id: notifications.id,
  opportunity_id: notifications.opportunityId,
  notification_type: notifications.notificationType,
  message: textInsensitive(notifications.message),
  status: notifications.status,
  sent_at: notifications.sentAt,
  attempts: notifications.attempts,
  created_at: notifications.createdAt,
  updated_at: notifications.updatedAt,
  error_message: textInsensitive(notifications.errorMessage),
} satisfies Record<NotificationSort, unknown>;

export async function listNotifications(
  db: Db,
  filter: NotificationFilter,
  page: { skip: number; limit: number; sortBy: NotificationSort; sortOrder: SortOrder },
): Promise<{ rows: NotificationRow[]; count: number }> {
  const where = matching(filter);
  const rows = await db
    .select()
    .from(notifications)
    .where(where)
    .orderBy(...orderedBy(SORT_COLUMNS[page.sortBy], page.sortOrder, notifications.id))
    .offset(page.skip)
    .limit(page.limit);
  const [total] = await db.select({ count: count() }).from(notifications).where(where);
  return { rows, count: total?.count ?? 0 };
}

export async function readNotification(db: Db, id: string): Promise<NotificationRow | null> {
  const [row] = await db.select().from(notifications).where(eq(notifications.id, id));
  return row ?? null;
}

function matching({ status, notificationType, opportunityId }: NotificationFilter): SQL | undefined {
  return and(
    status === undefined ? undefined : eq(notifications.status, status),
    notificationType === undefined ? undefined : eq(notifications.notificationType, notificationType),
    opportunityId === undefined ? undefined : eq(notifications.opportunityId, opportunityId),
  );
}
