import { deleteNotification, restoreNotification, retryNotification } from '@dutchbook/contract/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { toastDeletedRow } from '../../lists/deleted-rows.ts';
import { notificationKey } from './notification-queries.ts';
import { notificationsKey } from './sending-status.ts';

/** What comes of sending it again shows a moment later. */
const REFRESH_DELAY_MS = 2_000;

/** Has one that failed sent again; the screens read it again after two seconds. */
export function useRetryNotification() {
  const client = useQueryClient();
  return useSingleMutation({
    mutationFn: (id: string) => call(retryNotification, { params: { notification_id: id } }),
    onSuccess: (_reply, id) => {
      setTimeout(() => {
        void client.invalidateQueries({ queryKey: notificationKey(id) });
        void client.invalidateQueries({ queryKey: notificationsKey });
      }, REFRESH_DELAY_MS);
    },
    meta: { success: 'Notification retry initiated successfully', failure: 'Failed to retry notification' },
  });
}

/** `onDeleted` leads away from what is gone; the list is without it by then. */
export function useDeleteNotification(onDeleted: () => void) {
  const client = useQueryClient();
  return useSingleMutation({
    mutationFn: (id: string) => call(deleteNotification, { params: { notification_id: id } }),
    onSuccess: async (_reply, id) => {
      const refresh = () => client.invalidateQueries({ queryKey: notificationsKey });
      const restore = () => call(restoreNotification, { params: { notification_id: id } });
      toastDeletedRow(id, 'Notification deleted successfully', restore, refresh);
      await refresh();
      onDeleted();
    },
    meta: { failure: 'Failed to delete notification' },
  });
}
