import {
  deleteNotification,
  exportNotifications,
  type Notification,
  retryNotification,
} from '@dutchbook/contract/notifications.ts';
import { call } from '../../calls/call.ts';
import { exportAction } from '../../lists/export-csv.ts';
import type { BulkAction } from '../../lists/selection.tsx';

/** What can be done with several notifications at once; `onDeleted` is told of each that is gone. */
export function bulkActions(onDeleted: (id: string) => void): readonly BulkAction<Notification>[] {
  return [
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
      question: (count) => `Delete ${count} notifications for good?`,
      each: async ({ id }) => {
        await call(deleteNotification, { params: { notification_id: id } });
        onDeleted(id);
      },
      done: 'deleted',
    },
  ];
}
