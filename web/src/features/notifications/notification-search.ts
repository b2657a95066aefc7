import {
  NOTIFICATION_STATUSES,
  NOTIFICATION_SUBJECTS,
  NOTIFICATION_TYPE_NAMES,
  type NotificationSubject,
} from '@dutchbook/contract/list-values.ts';
import { choice, venue, wholeId } from '../../lists/filters.ts';
import { findFrom, idFrom, NEWEST_FIRST, searchReader } from '../../lists/list-search.ts';

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

const LOOK = { flex: '0 1 160px' };

/** Under the names that the server takes. */
export const NOTIFICATION_FILTER = {
  q: { from: findFrom },
  subject: choice('About', 'Everything', Object.keys(NOTIFICATION_SUBJECTS) as NotificationSubject[], {
    ...LOOK,
    words: { attention: 'What needs me', trades: 'Bought and sold', opportunities: 'What paid' },
  }),
  status: choice('Status', 'All statuses', NOTIFICATION_STATUSES, LOOK),
  notification_type: choice('Type', 'All types', NOTIFICATION_TYPE_NAMES, LOOK),
  venue: venue(LOOK),
  opportunity_id: wholeId('Opportunity ID', { flex: '0 1 260px' }),
  /** Set by the links of rows that stand for others. */
  like: { from: idFrom },
};

export const notificationSearchFrom = searchReader(NOTIFICATION_FILTER, SORTS, NEWEST_FIRST);

/** The state of the list, as it stands in the address. */
export type NotificationSearch = ReturnType<typeof notificationSearchFrom>;
