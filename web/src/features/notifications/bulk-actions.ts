import {
  exportNotifications,
  type ListedNotification,
  restoreNotification,
  retryNotification,
} from '@dutchbook/contract/notifications.ts';
import { call } from '../../calls/call.ts';
import { noteDeleted } from '../../lists/deleted-rows.ts';
import { exportAction } from '../../lists/export-csv.ts';
import type { BulkAction } from '../../lists/selection.tsx';
import { deleteWithFolded, type FoldedBy } from './notification-actions.ts';

/** What can be done with several rows at once; of rows that stand for others, it is done to what `foldedBy` leaves of them. */
export const bulkActions = (foldedBy: FoldedBy): readonly BulkAction<ListedNotification>[] => [
  {
    label: 'Retry Send',
    icon: 'refresh',
    appliesTo: ({ status }) => status === 'failed',
    each: ({ id }) => call(retryNotification, { params: { notification_id: id } }),
    done: 'queued again',
  },
  exportAction('notifications', (ids) => call(exportNotifications, { query: { ids } })),
  {
    label: 'Delete',
    icon: 'trash',
    tone: 'danger',
    question: (count) => `Delete ${count} notifications, with all that their rows stand for?`,
    each: async (row) => {
      await deleteWithFolded(row, foldedBy);
      noteDeleted(row.id);
    },
    done: 'deleted',
    undo: {
      label: 'Restore',
      each: ({ id }) => call(restoreNotification, { params: { notification_id: id } }),
      done: 'restored',
    },
  },
];
