import type { Notification } from '@dutchbook/contract/notifications.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useDeleteNotification } from './notification-actions.ts';

/** `notification` stays the last one while the dialog fades away. */
type DeleteNotificationDialogProps = {
  opened: boolean;
  notification: Notification;
  onDeleted: () => void;
  onClose: () => void;
};

export function DeleteNotificationDialog({ opened, notification, onDeleted, onClose }: DeleteNotificationDialogProps) {
  const deletion = useDeleteNotification(onDeleted);
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Notification"
      confirm="Delete"
      onConfirm={() => deletion.start(notification.id)}
      pending={deletion.isPending}
      onClose={onClose}
    >
      <p>
        <strong>{notification.message}</strong>
      </p>
      <p>It will be deleted{notification.status === 'pending' && ', without being sent'}.</p>
    </ConfirmDialog>
  );
}
