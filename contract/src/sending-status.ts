/** How many notifications there are, and whether they leave: what every page shows. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { percent } from './quantities.ts';

export const sendingStatus = z.object({
  /** Whether anything is sent at all; what is recorded meanwhile waits. */
  enabled: z.boolean(),
  /** At most one message of a type about an opportunity in this time; what comes in between is sent together. */
  throttle_seconds: z.int(),
  channels: z.object({ telegram: z.object({ configured: z.boolean(), enabled: z.boolean() }) }),
});
export type SendingStatus = z.output<typeof sendingStatus>;

export const readSendingStatus = endpoint({
  method: 'GET',
  path: '/notifications/status',
  access: 'viewer',
  tag: 'Notifications',
  summary: 'Whether notifications are sent, and by what',
  reply: sendingStatus,
});

const notificationStats = z.object({
  total_notifications: z.int(),
  pending_count: z.int(),
  sent_count: z.int(),
  failed_count: z.int(),
  /** Of the last 24 hours. */
  recent_notifications: z.int(),
  /** How often sending one was tried on average; null while there are none. */
  avg_attempts: z.nullable(z.number()),
  /** Of those that were sent or failed; null while there are neither. */
  success_rate: z.nullable(percent),
});
export type NotificationStats = z.output<typeof notificationStats>;

export const readNotificationStats = endpoint({
  method: 'GET',
  path: '/notifications/records/stats',
  access: 'viewer',
  heavy: 'list',
  tag: 'Notifications',
  summary: 'How many notifications there are, and how sending them goes',
  reply: notificationStats,
});
