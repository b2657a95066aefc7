import { NOTIFICATION_STATUSES } from '@dutchbook/contract/list-values.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { NOTIFICATION_TYPES, type NotificationType } from '@dutchbook/contract/notification-types.ts';
import type { NotificationStatus } from '@dutchbook/contract/notifications.ts';
import { findFrom, idFrom, oneOf, orderFrom, pageFrom, type RawSearch, withoutUnset } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
export const SORTS = [
  'id',
  'opportunity_id',
  'created_at',
  'notification_type',
  'message',
  'status',
  'sent_at',
  'attempts',
] as const;

export const TYPES = Object.keys(NOTIFICATION_TYPES) as readonly NotificationType[];

export type NotificationFilter = {
  /** A text that is looked for. */
  q?: string | undefined;
  status?: NotificationStatus | undefined;
  notification_type?: NotificationType | undefined;
  opportunity_id?: string | undefined;
};

/** The state of the list, as it stands in the address. */
export type NotificationSearch = NotificationFilter & {
  page: number;
  sortBy: (typeof SORTS)[number];
  sortOrder: SortOrder;
};

export const NOTIFICATION_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export function notificationSearchFrom(raw: RawSearch): NotificationSearch {
  return {
    page: pageFrom(raw.page),
    q: findFrom(raw.q),
    status: oneOf(NOTIFICATION_STATUSES, raw.status),
    notification_type: oneOf(TYPES, raw.notification_type),
    opportunity_id: idFrom(raw.opportunity_id),
    sortBy: oneOf(SORTS, raw.sortBy) ?? NOTIFICATION_SEARCH_DEFAULTS.sortBy,
    sortOrder: orderFrom(raw.sortOrder),
  };
}

export function filterOf({ q, status, notification_type, opportunity_id }: NotificationSearch): NotificationFilter {
  return withoutUnset({ q, status, notification_type, opportunity_id });
}
