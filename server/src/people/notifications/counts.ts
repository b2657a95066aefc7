import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import type { NotificationStatus } from '@dutchbook/contract/notifications.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { notificationCounts } from './table.ts';

/** How many notifications there are of a status, and how often sending them was tried. */
export type Counted = { status: NotificationStatus; total: number; tries: number };

/** Read from counts that are kept, so that it takes no longer the more there are. */
export async function countedNotifications(
  db: Db,
  only: { status?: NotificationStatus | undefined; notificationTypes?: readonly NotificationType[] | undefined } = {},
): Promise<Counted[]> {
  return await db
    .select({
      status: notificationCounts.status,
      total: sql`sum(${notificationCounts.total})`.mapWith(Number),
      tries: sql`sum(${notificationCounts.tries})`.mapWith(Number),
    })
    .from(notificationCounts)
    .where(
      and(
        only.status === undefined ? undefined : eq(notificationCounts.status, only.status),
        only.notificationTypes && inArray(notificationCounts.notificationType, [...only.notificationTypes]),
      ),
    )
    .groupBy(notificationCounts.status);
}

/** All of them together. */
export function totalOf(counted: readonly Counted[]): number {
  return counted.reduce((sum, { total }) => sum + total, 0);
}
