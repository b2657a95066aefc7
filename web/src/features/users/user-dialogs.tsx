import type { User } from '@dutchbook/contract/current-user.ts';
import { endSessionsOfUser } from '@dutchbook/contract/sessions.ts';
import { createUser, deleteUser, restoreUser, updateUser } from '@dutchbook/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { toastDeleted } from '../../calls/toast-deleted.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
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

function useReadUsersAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: userListKey });
}

/** `user` stays while the dialog fades away. */
type UserDialogProps = { opened: boolean; user: User; onClose: () => void };

export function EditUserDialog({ opened, user, onClose }: UserDialogProps) {
  return (
    <FormDialog
      opened={opened}
      title="Edit User"
      initialValues={userDraftOf(user)}
      problems={(draft) => userChangesProblems(draft, user)}
      send={(draft) => call(updateUser, { params: { user_id: user.id }, body: userChangesOf(draft, user) })}
      meta={{ success: 'User updated successfully.' }}
      onSent={useReadUsersAgain()}
      onClose={onClose}
      savesUnchanged={false}
    >
      {(form) => (
        <UserFields
          form={form}
          passwordHint="Left empty, it stays as it is. A new one, like deactivation, ends their sessions."
        />
      )}
    </FormDialog>
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

type AddUserDialogProps = { opened: boolean; onClose: () => void; onAdded: () => void };

export function AddUserDialog({ opened, onClose, onAdded }: AddUserDialogProps) {
  const readAgain = useReadUsersAgain();
  return (
    <FormDialog
      opened={opened}
      title="Add User"
      initialValues={NOBODY}
      problems={newUserProblems}
      send={(draft) => call(createUser, { body: newUserOf(draft) })}
      meta={{ success: 'User created successfully.' }}
      onSent={() => {
        onAdded();
        void readAgain();
      }}
      onClose={onClose}
    >
      {(form) => <UserFields form={form} />}
    </FormDialog>
  );
}

/** Asks before an account goes, and says what goes with it. */
export function DeleteUserDialog({ opened, user, onClose }: UserDialogProps) {
  const refresh = useReadUsersAgain();
  const params = { user_id: user.id };
  return (
    <ConfirmedCall
      opened={opened}
      title="Delete User"
      confirm="Delete"
      send={() => call(deleteUser, { params })}
      onDone={async () => {
        await refresh();
        toastDeleted('The user was deleted successfully', () => call(restoreUser, { params }), refresh);
      }}
      meta={{ failure: 'An error occurred while deleting the user' }}
      onClose={onClose}
    >
      <p>
        The account of <strong>{nameOf(user)}</strong> and all of their items will be deleted, and their sessions end.
        What they did stays in the audit log. This can be undone only for a moment.
      </p>
    </ConfirmedCall>
  );
}

/** Asks before a user is signed out everywhere. */
export function EndSessionsDialog({ opened, user, onClose }: UserDialogProps) {
  return (
    <ConfirmedCall
      opened={opened}
      title="End Sessions"
      confirm="End Sessions"
      send={() => call(endSessionsOfUser, { params: { user_id: user.id } })}
      meta={{ success: 'Their sessions have ended.', failure: 'Failed to end the sessions' }}
      onClose={onClose}
    >
      <p>
        <strong>{nameOf(user)}</strong> has to log in again, everywhere.
      </p>
    </ConfirmedCall>
  );
}

/** Two people may have the same name, but not the same email. */
function nameOf({ full_name, email }: User): string {
  return full_name ? `${full_name} (${email})` : email;
}
