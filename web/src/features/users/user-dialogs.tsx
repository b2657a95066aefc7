import type { User } from '@dutchbook/contract/current-user.ts';
import { endSessionsOfUser } from '@dutchbook/contract/sessions.ts';
import { createUser, deleteUser, restoreUser, updateUser } from '@dutchbook/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { toastDeleted } from '../../calls/toast-deleted.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { UserFields } from './user-fields.tsx';
import {
  newUserOf,
  newUserProblems,
  type UserDraft,
  userChangesOf,
  userChangesProblems,
  userDraftOf,
} from './user-form-rules.ts';
import { userListKey } from './user-queries.ts';

/** `user` stays while the dialog fades away. */
type UserDialogProps = { opened: boolean; user: User; onClose: () => void };

export function EditUserDialog({ opened, user, onClose }: UserDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit User">
      <EditUserForm user={user} onClose={onClose} />
    </Dialog>
  );
}

function EditUserForm({ user, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm({
    initialValues: userDraftOf(user),
    problems: (draft) => userChangesProblems(draft, user),
    send: (draft) => call(updateUser, { params: { user_id: user.id }, body: userChangesOf(draft, user) }),
    meta: { success: 'User updated successfully.' },
    onSent: () => {
      onClose();
      void client.invalidateQueries({ queryKey: userListKey });
    },
  });
  return (
    <UserFields
      form={form}
      submit={submit}
      sending={sending}
      unchanged={!form.isDirty()}
      onCancel={onClose}
      passwordHint="Left empty, it stays as it is. A new one, like deactivation, ends their sessions."
    />
  );
}

type AddUserDialogProps = { opened: boolean; onClose: () => void; onAdded: () => void };

export function AddUserDialog({ opened, onClose, onAdded }: AddUserDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add User">
      <AddUserForm onClose={onClose} onAdded={onAdded} />
    </Dialog>
  );
}

const NOBODY: UserDraft = {
  email: '',
  full_name: '',
  password: '',
  confirm_password: '',
  is_superuser: false,
  is_viewer: false,
  is_active: false,
};

/** Lives as long as the dialog is open, so that each opening starts with empty fields. */
function AddUserForm({ onClose, onAdded }: Omit<AddUserDialogProps, 'opened'>) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm({
    initialValues: NOBODY,
    problems: newUserProblems,
    send: (draft) => call(createUser, { body: newUserOf(draft) }),
    meta: { success: 'User created successfully.' },
    onSent: () => {
      onClose();
      onAdded();
      void client.invalidateQueries({ queryKey: userListKey });
    },
  });
  return <UserFields form={form} submit={submit} sending={sending} onCancel={onClose} />;
}

/** Asks before an account goes, and says what goes with it. */
export function DeleteUserDialog({ opened, user, onClose }: UserDialogProps) {
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

/** Asks before somebody is signed out everywhere. */
export function EndSessionsDialog({ opened, user, onClose }: UserDialogProps) {
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(endSessionsOfUser, { params: { user_id: user.id } }),
    onSuccess: onClose,
    meta: { success: 'Their sessions have ended.', failure: 'Failed to end the sessions' },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="End Sessions"
      confirm="End Sessions"
      onConfirm={start}
      pending={isPending}
      onClose={onClose}
    >
      <p>
        <strong>{nameOf(user)}</strong> has to log in again, everywhere.
      </p>
    </ConfirmDialog>
  );
}

/** Two people may have the same name, but not the same email. */
function nameOf({ full_name, email }: User): string {
  return full_name ? `${full_name} (${email})` : email;
}
