import {
  deleteNotification,
  type ListedNotification,
  restoreNotification,
  retryNotification,
} from '@dutchbook/contract/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
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

/** What the filter of a folded list leaves under its rows. */
export type FoldedBy = Omit<z.input<typeof deleteNotification.query>, 'folded'>;

/** Deletes it, and of a row of a folded list all that it stands for. */
export function deleteWithFolded({ id, folded }: Pick<ListedNotification, 'id' | 'folded'>, by: FoldedBy) {
  const query = folded === undefined ? {} : { ...by, folded: true };
  return call(deleteNotification, { params: { notification_id: id }, query });
}

/** `onDeleted` leads away from what is gone; the list is without it by then. */
export function useDeleteNotification(onDeleted: () => void, by: FoldedBy) {
  const client = useQueryClient();
  return useSingleMutation({
    mutationFn: (row: ListedNotification) => deleteWithFolded(row, by),
    onSuccess: async ({ message }, { id }) => {
      const refresh = () => client.invalidateQueries({ queryKey: notificationsKey });
      const restore = () => call(restoreNotification, { params: { notification_id: id } });
      toastDeletedRow(id, message, restore, refresh);
      await refresh();
      onDeleted();
    },
    meta: { failure: 'Failed to delete notification' },
  });
}
