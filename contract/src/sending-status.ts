/** How many notifications there are, and whether they leave: what every page shows. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { described } from './notes/described.ts';
import { percent } from './quantities.ts';

export const sendingStatus = z.object({
  enabled: described('Whether anything is sent at all; what is recorded meanwhile waits.', z.boolean()),
  throttle_seconds: described(
    'At most one message of a type about an opportunity in this time; what comes in between is sent together.',
    z.int(),
  ),
  channels: described(
    'The channels that messages are sent by.',
    z.object({
      telegram: described(
        'Messages by Telegram.',
        z.object({
          configured: described('Whether the bot token and the chat are set.', z.boolean()),
          enabled: described('Whether messages are sent.', z.boolean()),
        }),
      ),
    }),
  ),
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
  total_notifications: described('How many notifications there are.', z.int()),
  pending_count: described('How many wait to be sent.', z.int()),
  sent_count: described('How many were sent.', z.int()),
  failed_count: described('How many could not be sent.', z.int()),
  attention_count: described('How many are of what does not come right by itself, sent or not.', z.int()),
  recent_notifications: described('Of the last 24 hours.', z.int()),
  avg_attempts: described(
    'How often sending one was tried on average; null while there are none.',
    z.nullable(z.number()),
  ),
  success_rate: described('Of those that were sent or failed; null while there are neither.', z.nullable(percent)),
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
