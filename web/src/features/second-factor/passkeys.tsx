import {
  addPasskey,
  deletePasskey,
  type Passkey,
  passkeyForm,
  startForm,
  startPasskey,
} from '@dutchbook/contract/second-factor.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { DialogForm } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { makePasskey } from './passkey-prompt.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The passkeys of the own account, and another one. */
export function Passkeys({ passkeys, onChanged }: { passkeys: readonly Passkey[]; onChanged: () => void }) {
  const [adding, setAdding] = useState(false);
  const deletion = useSingleMutation({
    mutationFn: (credential_id: string) => call(deletePasskey, { params: { credential_id } }),
    onSuccess: onChanged,
    meta: { success: 'The passkey was deleted.', failure: 'Failed to delete the passkey' },
  });
  const end = () => {
    setAdding(false);
    onChanged();
  };
  return (
    <>
      {passkeys.length > 0 && (
        <DataTable
          label="Passkeys"
          columns={columnsOf((id) => deletion.start(id), deletion.isPending)}
          rows={passkeys}
        />
      )}
      <Button variant="default" style={{ justifySelf: 'end' }} onClick={() => setAdding(true)}>
        Add Passkey
      </Button>
      {adding && <AddPasskeyDialog onClose={end} />}
    </>
  );
}

const form = z.object({ ...passkeyForm.shape, ...startForm.shape });

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Dialog opened onClose={onClose} title="Add Passkey">
      {codes.length > 0 ? (
        <RecoveryCodes codes={codes} onKept={onClose} />
      ) : (
        <DialogForm
          initialValues={{ name: '', password: '' }}
          problems={rulesOf(form)}
          send={async ({ name, password }) => {
            const { options } = await call(startPasskey, { body: { password } });
            return call(addPasskey, { body: { name, passkey: await makePasskey(options) } });
          }}
          meta={{ success: 'The passkey was added.' }}
          onSent={({ recovery_codes }) => (recovery_codes.length === 0 ? onClose() : setCodes(recovery_codes))}
          onClose={onClose}
        >
          {({ getInputProps }) => (
            <>
              <TextInput
                label="Name"
                description="What you know it by: the key on your key ring, this laptop"
                data-autofocus
                {...getInputProps('name')}
              />
              <PasswordField
                label="Current Password"
                placeholder="Current Password"
                autoComplete="current-password"
                {...getInputProps('password')}
              />
            </>
          )}
        </DialogForm>
      )}
    </Dialog>
  );
}

function columnsOf(onDelete: (id: string) => void, isDeleting: boolean): readonly Column<Passkey>[] {
  return [
    { key: 'name', header: 'Passkey', cell: ({ name }) => name },
    { key: 'added', header: 'Added', cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      key: 'used',
      header: 'Last Used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Moment at={last_used_at} />),
    },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: ({ id, name }) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDeleting}
          aria-label={`Delete ${name}`}
          onClick={() => onDelete(id)}
        >
          Delete
        </Button>
      ),
    },
  ];
}
