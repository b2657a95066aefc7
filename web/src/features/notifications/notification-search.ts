import { NOTIFICATION_STATUSES, NOTIFICATION_TYPE_NAMES } from '@dutchbook/contract/list-values.ts';
import { findFrom, idFrom, oneOf, searchReader } from '../../lists/list-search.ts';

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

/** Under the names that the server takes. */
const FILTER = {
  q: findFrom,
  status: oneOf(NOTIFICATION_STATUSES),
  notification_type: oneOf(NOTIFICATION_TYPE_NAMES),
  opportunity_id: idFrom,
};

export const NOTIFICATION_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export const notificationSearchFrom = searchReader(FILTER, SORTS, NOTIFICATION_SEARCH_DEFAULTS);

/** The state of the list, as it stands in the address. */
export type NotificationSearch = ReturnType<typeof notificationSearchFrom>;
