import { createUser } from '@dutchbook/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { UserFields } from './user-fields.tsx';
import { newUserOf, newUserProblems, type UserDraft } from './user-form-rules.ts';
import { userListKey } from './user-queries.ts';

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
