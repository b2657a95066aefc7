/** What people are told of. */
import * as z from 'zod/mini';
import { endpoint, message } from './endpoint.ts';
import { find, idsInQuery } from './finding.ts';
import { NOTIFICATION_STATUSES, NOTIFICATION_TYPE_NAMES } from './list-values.ts';
import { id, listOf, page, sortOrder, sortsOf } from './listing.ts';
import type { NotificationType } from './notification-types.ts';
import { instant } from './quantities.ts';

const notificationStatus = z.enum(NOTIFICATION_STATUSES);
export type NotificationStatus = z.output<typeof notificationStatus>;

const notificationType = z.enum(NOTIFICATION_TYPE_NAMES);

/** One written by a later version may be of another type or in another state: it is served all the same. */
const recordedType = z.string() as unknown as z.ZodMiniType<NotificationType, NotificationType>;
const recordedStatus = z.string() as unknown as z.ZodMiniType<NotificationStatus, NotificationStatus>;

/** What a chat message can hold. */
const MESSAGE_MAX = 4096;

/** Characters of JSON: many times what the product itself writes there. */
const DATA_MAX = 8192;

export const messageText = z
  .string()
  .check(
    z.minLength(1, 'Message is required'),
    z.maxLength(MESSAGE_MAX, `Message must be at most ${MESSAGE_MAX} characters`),
  );

export const notification = z.object({
  id,
  /** It may name an opportunity that is deleted by now; null where it is about none. */
  opportunity_id: z.nullable(id),
  notification_type: recordedType,
  message: z.string(),
  status: recordedStatus,
  sent_at: z.nullable(instant),
  /** How often sending it was tried. */
  attempts: z.int(),
  created_at: instant,
  updated_at: instant,
  /** Why the last try failed. */
  error_message: z.nullable(z.string()),
  /** What else is known of what happened, by type. */
  data: z.looseObject({}),
});
export type Notification = z.output<typeof notification>;

export const NOTIFICATION_SORTS = sortsOf(notification, 'data');

/** The status is not among them: only sending changes it. */
const notificationChanges = z.strictObject({
  message: z.optional(messageText),
  data: z.optional(
    z
      .looseObject({})
      .check(
        z.refine(
          (data) => JSON.stringify(data).length <= DATA_MAX,
          `data must be at most ${DATA_MAX} characters of JSON`,
        ),
      ),
  ),
});

const tag = 'Notifications';
const params = z.object({ notification_id: id });

const notificationFilter = {
  /** By the beginning of an id, by what it says, and as opportunities are found. */
  q: find,
  status: z.optional(notificationStatus),
  notification_type: z.optional(notificationType),
  opportunity_id: z.optional(id),
};

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications/records',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'List notifications',
  query: z.object({
    ...page,
    ...notificationFilter,
    sort_by: z._default(z.enum(NOTIFICATION_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(notification),
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportNotifications = endpoint({
  method: 'GET',
  path: '/notifications/records/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'Export notifications as a CSV file',
  query: z.object({ ...notificationFilter, ids: z.optional(idsInQuery) }),
  reply: z.string(),
});

export const readNotification = endpoint({
  method: 'GET',
  path: '/notifications/records/{notification_id}',
  access: 'viewer',
  tag,
  summary: 'Read a notification',
  params,
  reply: notification,
});

export const updateNotification = endpoint({
  method: 'PATCH',
  path: '/notifications/records/{notification_id}',
  access: 'user',
  tag,
  summary: 'Change what a notification says',
  params,
  body: notificationChanges,
  reply: notification,
});

export const deleteNotification = endpoint({
  method: 'DELETE',
  path: '/notifications/records/{notification_id}',
  access: 'user',
  tag,
  summary: 'Delete a notification',
  params,
  reply: message,
});

export const restoreNotification = endpoint({
  method: 'POST',
  path: '/notifications/records/{notification_id}/restore',
  access: 'user',
  tag,
  summary: 'Undo the deletion of a notification, within ten minutes',
  params,
  reply: notification,
});

export const retryNotification = endpoint({
  method: 'POST',
  path: '/notifications/records/{notification_id}/retry',
  access: 'user',
  tag,
  summary: 'Have a notification that failed sent again',
  params,
  reply: notification,
});
