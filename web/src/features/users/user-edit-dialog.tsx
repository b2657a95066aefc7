import { type User, updateUser } from '@dutchbook/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { UserFields } from './user-fields.tsx';
import { userChangesOf, userChangesProblems, userDraftOf } from './user-form-rules.ts';
import { userListKey } from './user-queries.ts';

/** `user` stays while the dialog fades away. */
type EditUserDialogProps = { opened: boolean; user: User; onClose: () => void };

export function EditUserDialog({ opened, user, onClose }: EditUserDialogProps) {
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
