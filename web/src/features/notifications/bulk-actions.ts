import {
  deleteNotification,
  exportNotifications,
  type Notification,
  restoreNotification,
  retryNotification,
} from '@dutchbook/contract/notifications.ts';
import { call } from '../../calls/call.ts';
import { noteDeleted } from '../../lists/deleted-rows.ts';
import { exportAction } from '../../lists/export-csv.ts';
import type { BulkAction } from '../../lists/selection.tsx';

/** What can be done with several notifications at once. */
export const bulkActions: readonly BulkAction<Notification>[] = [
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
    question: (count) => `Delete ${count} notifications?`,
    each: async ({ id }) => {
      await call(deleteNotification, { params: { notification_id: id } });
      noteDeleted(id);
    },
    done: 'deleted',
    undo: {
      label: 'Restore',
      each: ({ id }) => call(restoreNotification, { params: { notification_id: id } }),
      done: 'restored',
    },
  },
];
