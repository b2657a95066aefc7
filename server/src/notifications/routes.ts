import {
  listNotifications as listNotificationsCall,
  type Notification,
  readNotification as readNotificationCall,
} from '@dutchbook/contract/notifications.ts';
import type { App } from '../http/app.ts';
import { NotFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { World } from '../world/world.ts';
import { listNotifications, type NotificationRow, readNotification } from './store.ts';

export function registerNotifications(app: App, { db }: Pick<World, 'db'>): void {
  route(app, listNotificationsCall, async ({ query }) => {
    const { rows, count } = await listNotifications(
      db,
      { status: query.status, notificationType: query.notification_type, opportunityId: query.opportunity_id },
      { skip: query.skip, limit: query.limit, sortBy: query.sort_by, sortOrder: query.sort_order },
    );
    return { data: rows.map(presentNotification), count };
  });

  route(app, readNotificationCall, async ({ params }) => {
    const row = await readNotification(db, params.notification_id);
    if (row === null) throw new NotFound('Notification not found');
    return presentNotification(row);
  });
}

function presentNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    opportunity_id: row.opportunityId,
    notification_type: row.notificationType,
    message: row.message,
    status: row.status,
    sent_at: row.sentAt,
    attempts: row.attempts,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    error_message: row.errorMessage,
    data: row.data,
  };
}
