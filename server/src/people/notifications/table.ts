import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import type { NotificationStatus } from '@dutchbook/contract/notifications.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { textInsensitive } from '../../platform/database/ordering.ts';
import type { NewNotification } from './record.ts';

/** How often sending a notification is tried before it counts as failed. */
export const TRIES = 5;

/** Notifications, written in the transaction that records what happened, or right after it from `deferred_notifications`. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    /** No foreign key: deleting an opportunity keeps its notifications. */
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
    /** The order in which they are sent. */
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity(),
    /** What throttling and muting go by: the type and the opportunity. */
    topic: text('topic')
      .notNull()
      .generatedAlwaysAs(sql`notification_type || ':' || coalesce(opportunity_id::text, '')`),
    /** From five down; a person who has it sent again gives it as many anew. */
    triesLeft: integer('tries_left').notNull().default(TRIES),
    /** When a person had it sent again; it waits since then. */
    retriedAt: instant('retried_at'),
    /** Which sending it is part of, from before the call until its answer is known; see README.md in this folder. */
    sendingId: uuid('sending_id'),
  },
  (table) => [
    index('notifications_created_at').on(table.createdAt, table.id),
    index('notifications_status').on(table.status, table.createdAt),
    index('notifications_notification_type').on(table.notificationType, table.createdAt),
    index('notifications_opportunity_id').on(table.opportunityId, table.createdAt),
    // What the list is sorted by: without one of these a page of it reads all notifications. What is not known when one is
    // recorded has no entry before it is.
    index('notifications_by_type').on(table.notificationType, table.id),
    index('notifications_by_message').on(textInsensitive(table.message), table.id),
    index('notifications_by_status').on(table.status, table.id),
    index('notifications_by_sent_at').on(table.sentAt, table.id).where(sql`${table.sentAt} is not null`),
    index('notifications_by_attempts').on(table.attempts, table.id),
    index('notifications_by_updated_at').on(table.updatedAt, table.id),
    index('notifications_by_error_message')
      .on(textInsensitive(table.errorMessage), table.id)
      .where(sql`${table.errorMessage} is not null`),
    index('notifications_waiting').on(table.seq).where(sql`${table.status} = 'pending'`),
    index('notifications_sending').on(table.sendingId).where(sql`${table.sendingId} is not null`),
  ],
);

/** Notifications of batches whose orders were about to leave, until the rows of the list are written. */
export const deferredNotifications = pgTable('deferred_notifications', {
  batchId: uuid('batch_id').primaryKey(),
  at: instant('at').notNull(),
  notifications: jsonb('notifications').$type<NewNotification[]>().notNull(),
});

/**
 * How many notifications there are of each status and type: the sums of all rows. Kept by triggers of `notifications`, each
 * of which adds to whichever row no other transaction holds, so that no transaction waits here: there may be millions of them.
 */
export const notificationCounts = pgTable(
  'notification_counts',
  {
    slot: integer('slot').primaryKey().generatedAlwaysAsIdentity(),
    status: text('status').$type<NotificationStatus>().notNull(),
    notificationType: text('notification_type').$type<NotificationType>().notNull(),
    total: integer('total').notNull(),
    /** The sum of their attempts. */
    tries: bigint('tries', { mode: 'number' }).notNull(),
  },
  (table) => [index('notification_counts_of').on(table.status, table.notificationType)],
);

/** The one row, `all`, is the switch for everything that is sent; until there is one the defaults of `switches.ts` hold. */
export const notificationSwitches = pgTable('notification_switches', {
  name: text('name').primaryKey(),
  enabled: boolean('enabled').notNull(),
  throttleSeconds: integer('throttle_seconds').notNull(),
});

/** The one row is `telegram`. A sender locks the row while it decides what to send. */
export const notificationChannels = pgTable('notification_channels', {
  name: text('name').primaryKey(),
  /** Sealed with the secret key. */
  sealedToken: text('sealed_token'),
  chatId: text('chat_id'),
  enabled: boolean('enabled').notNull(),
  /** Nothing is sent before: a message is under way, the last one was just now, or something went wrong. */
  restUntil: instant('rest_until'),
  /** What went wrong, where that is why it rests. */
  restReason: text('rest_reason'),
  lastSentAt: instant('last_sent_at'),
  /** When a process last asked for updates, and after which update the next one asks. */
  askedAt: instant('asked_at'),
  lastUpdate: bigint('last_update', { mode: 'number' }),
  /** Since when no update could be read, and when that was notified; null while updates are read. */
  unreadSince: instant('unread_since'),
  unreadNotifiedAt: instant('unread_told_at'),
  /** Telegram user ids. */
  muteUserIds: jsonb('mute_user_ids').$type<readonly number[]>().notNull().default([]),
  commandUserIds: jsonb('command_user_ids').$type<readonly number[]>().notNull().default([]),
});

/** What holds messages of a topic back. */
export const notificationTopics = pgTable('notification_topics', {
  topic: text('topic').primaryKey(),
  lastSentAt: instant('last_sent_at'),
  mutedUntil: instant('muted_until'),
});
