import { deleteUser, restoreUser, type User } from '@dutchbook/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { toastDeleted } from '../../calls/toast-deleted.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { userListKey } from './user-queries.ts';

/** `user` stays while the dialog fades away. */
type DeleteUserDialogProps = { opened: boolean; user: User; onClose: () => void };

/** Asks before an account goes, and says what goes with it. */
export function DeleteUserDialog({ opened, user, onClose }: DeleteUserDialogProps) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: userListKey });
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(deleteUser, { params: { user_id: user.id } }),
    onSuccess: async () => {
      // The row goes first, so that the focus does not return to it.
      await refresh();
      onClose();
      const restore = () => call(restoreUser, { params: { user_id: user.id } });
      toastDeleted('The user was deleted successfully', restore, refresh);
    },
    meta: { failure: 'An error occurred while deleting the user' },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete User"
      confirm="Delete"
      onConfirm={start}
      pending={isPending}
      onClose={onClose}
    >
      <p>
        The account of <strong>{nameOf(user)}</strong> and all of their items will be deleted, and their sessions end.
        What they did stays in the audit log. This can be undone only for a moment.
      </p>
    </ConfirmDialog>
  );
}

/** Two people may have the same name, but not the same email. */
function nameOf({ full_name, email }: User): string {
  return full_name ? `${full_name} (${email})` : email;
}
