import type { NotificationStatus, NotificationType } from '@dutchbook/contract/notifications.ts';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../world/columns.ts';

/** What people are told of, written in the transaction that records what happened. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    /** No foreign key: deleting an opportunity keeps what was told of it. */
    opportunityId: uuid('opportunity_id'),
    notificationType: text('notification_type').$type<NotificationType>().notNull(),
    message: text('message').notNull(),
    status: text('status').$type<NotificationStatus>().notNull(),
    sentAt: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    errorMessage: text('error_message'),
    /** As clients read it: quantities are plain JSON numbers here. */
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index('notifications_created_at').on(table.createdAt, table.id),
    index('notifications_status').on(table.status, table.createdAt),
    index('notifications_notification_type').on(table.notificationType, table.createdAt),
    index('notifications_opportunity_id').on(table.opportunityId, table.createdAt),
  ],
);
