/** The types of notifications. */
import * as z from 'zod/mini';
import { endpoint, message, notFound, nothingDeleted, refusal } from './endpoint.ts';
import {
  NOTIFICATION_STATUSES,
  NOTIFICATION_SUBJECTS,
  NOTIFICATION_TYPE_NAMES,
  type NotificationSubject,
} from './list-values.ts';
import { flagInQuery, id, listOf, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { NOTIFICATION_MEANINGS } from './notes/notification-meanings.ts';
import type { NotificationType } from './notification-types.ts';
import { instant } from './quantities.ts';
import { find, idsInQuery } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

const notificationStatus = explained(
  { pending: 'it waits to be sent', sent: 'it was sent', failed: 'it could not be sent' },
  z.enum(NOTIFICATION_STATUSES),
);
export type NotificationStatus = z.output<typeof notificationStatus>;

const notificationType = explained(NOTIFICATION_MEANINGS, z.enum(NOTIFICATION_TYPE_NAMES));

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
  opportunity_id: described(
    'It may name an opportunity that is deleted by now; null where it is about none.',
    z.nullable(id),
  ),
  notification_type: described(
    'What it is about. Entries of later versions may have others than are listed.',
    recordedType,
  ),
  message: z.string(),
  status: recordedStatus,
  sent_at: z.nullable(instant),
  attempts: described('How often sending it was tried.', z.int()),
  created_at: instant,
  updated_at: instant,
  error_message: described('Why the last try failed.', z.nullable(z.string())),
  data: described('What else is known of what happened, by type.', z.looseObject({})),
});
export type Notification = z.output<typeof notification>;

/** What a row of a folded list stands for. */
const folded = z.object({
  count: described('How many notifications the row stands for, itself among them.', z.int()),
  first_at: described('When the oldest of them was recorded.', instant),
  failed: described('How many of them could not be sent.', z.int()),
});

const listedNotification = z.extend(notification, {
  folded: described('What the row stands for; only where `folded` is asked for.', z.optional(folded)),
});
export type ListedNotification = z.output<typeof listedNotification>;

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
const params = z.object({ notification_id: described('The notification.', id) });

const rowFilter = {
  q: described('By the beginning of an id, by what it says, and as opportunities are found.', find),
  status: z.optional(notificationStatus),
  notification_type: described('Only notifications of this type.', z.optional(notificationType)),
  subject: described(
    'Only notifications that answer a question.',
    z.optional(
      explained(
        {
          attention: 'what does not come right by itself',
          trades: 'what was bought and sold',
          opportunities: 'what paid, and what of it changed',
        },
        z.enum(Object.keys(NOTIFICATION_SUBJECTS) as NotificationSubject[]),
      ),
    ),
  ),
  opportunity_id: z.optional(id),
  venue: described(
    'Only notifications about this venue, or an opportunity with a position there.',
    z.optional(venueName),
  ),
};

const notificationFilter = {
  ...rowFilter,
  like: described(
    'Only notifications that a folded list has under the row of this one: of its type and about its opportunity, or of its text where it is about none.',
    z.optional(id),
  ),
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
    folded: described(
      'Answers one row, the newest, for all matching notifications of a type about an opportunity; for those about none, of a type and a text. Of the newest 1,000 that match.',
      z.optional(flagInQuery),
    ),
    sort_by: z._default(sortBy(NOTIFICATION_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(listedNotification),
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
  refusals: [notFound('Notification not found')],
  params,
  reply: notification,
});

export const updateNotification = endpoint({
  method: 'PATCH',
  path: '/notifications/records/{notification_id}',
  access: 'user',
  tag,
  summary: 'Change what a notification says',
  refusals: [notFound('Notification not found')],
  params,
  body: notificationChanges,
  reply: notification,
});

export const deleteNotification = endpoint({
  method: 'DELETE',
  path: '/notifications/records/{notification_id}',
  access: 'user',
  tag,
  summary: 'Delete a notification, or all that its row of a folded list stands for',
  refusals: [notFound('Notification not found')],
  params,
  query: z.object({
    ...rowFilter,
    folded: described(
      'Deletes all that a folded list of the same filter has under the row of this one, it and what is older: at most 1,000. They are restored together by its id.',
      z.optional(flagInQuery),
    ),
  }),
  reply: message,
});

export const restoreNotification = endpoint({
  method: 'POST',
  path: '/notifications/records/{notification_id}/restore',
  access: 'user',
  tag,
  summary: 'Undo the deletion of a notification, and of all that were deleted with it, within ten minutes',
  refusals: [nothingDeleted('notification')],
  params,
  reply: notification,
});

export const retryNotification = endpoint({
  method: 'POST',
  path: '/notifications/records/{notification_id}/retry',
  access: 'user',
  tag,
  summary: 'Have a notification that failed sent again',
  refusals: [
    notFound('Notification not found'),
    refusal(
      409,
      'The notification has not failed.',
      'The notification is sent. Only one that failed can be sent again.',
    ),
  ],
  params,
  reply: notification,
});
