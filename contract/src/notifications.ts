/** What people are told of. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, listOf, page, sortOrder } from './listing.ts';
import { instant } from './quantities.ts';

const notificationStatus = z.enum(['pending', 'sent', 'failed']);
export type NotificationStatus = z.output<typeof notificationStatus>;

const notificationType = z.enum(['opportunity_triggered']);
export type NotificationType = z.output<typeof notificationType>;

/** One written by a later version may be of another type: it is served all the same. */
const recordedType = z.string() as unknown as z.ZodMiniType<NotificationType, NotificationType>;

const notification = z.object({
  id,
  /** It may name an opportunity that is deleted by now; null where it is about none. */
  opportunity_id: z.nullable(id),
  notification_type: recordedType,
  message: z.string(),
  status: notificationStatus,
  sent_at: z.nullable(instant),
  /** How often sending it was tried. */
  attempts: z.int(),
  created_at: instant,
  updated_at: instant,
  /** Why the last try failed. */
  error_message: z.nullable(z.string()),
  /** What else is known of what happened, by type. */
  data: z.record(z.string(), z.unknown()),
});
export type Notification = z.output<typeof notification>;

export const NOTIFICATION_SORTS = [
  'id',
  'opportunity_id',
  'notification_type',
  'message',
  'status',
  'sent_at',
  'attempts',
  'created_at',
  'updated_at',
  'error_message',
] as const;

const tag = 'Notifications';

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications/records',
  access: 'user',
  tag,
  summary: 'List notifications',
  query: z.object({
    ...page,
    status: z.optional(notificationStatus),
    notification_type: z.optional(notificationType),
    opportunity_id: z.optional(id),
    sort_by: z._default(z.enum(NOTIFICATION_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(notification),
});

export const readNotification = endpoint({
  method: 'GET',
  path: '/notifications/records/{notification_id}',
  access: 'user',
  tag,
  summary: 'Read a notification',
  params: z.object({ notification_id: id }),
  reply: notification,
});
