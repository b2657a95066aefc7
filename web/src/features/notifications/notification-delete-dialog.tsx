import type { ListedNotification } from '@dutchbook/contract/notifications.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type FoldedBy, useDeleteNotification } from './notification-actions.ts';

/** `notification` stays the last one while the dialog fades away. */
type DeleteNotificationDialogProps = {
  opened: boolean;
  notification: ListedNotification;
  /** Filter of the folded list that the row belongs to. */
  foldedBy?: FoldedBy;
  onDeleted: () => void;
  onClose: () => void;
};

export function DeleteNotificationDialog(props: DeleteNotificationDialogProps) {
  const { opened, notification, foldedBy = {}, onDeleted, onClose } = props;
  const deletion = useDeleteNotification(onDeleted, foldedBy);
  const behind = (notification.folded?.count ?? 1) - 1;
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Notification"
      confirm="Delete"
      onConfirm={() => deletion.start(notification)}
      pending={deletion.isPending}
      onClose={onClose}
    >
      <p>
        <strong>{notification.message}</strong>
      </p>
      {behind > 0 ? (
        <p>
          It and the {formatCount(behind)} like it behind it will be deleted, those that wait without being sent. Undo
          brings back all of them.
        </p>
      ) : (
        <p>It will be deleted{notification.status === 'pending' && ', without being sent'}.</p>
      )}
    </ConfirmDialog>
  );
}
