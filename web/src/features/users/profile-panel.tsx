import type { User } from '@dutchbook/contract/current-user.ts';
import { profile, updateMe } from '@dutchbook/contract/users.ts';
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { useUnsaved } from '../../forms/unsaved.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Details } from '../../ui/panel.tsx';
import { currentUserQuery } from '../session/current-user.ts';

/** Who one is to others: read until Edit is pressed. */
export function ProfilePanel({ user }: { user: User }) {
  const [editing, setEditing] = useState(false);
  const hasEdited = useRef(false);
  // The button that was pressed has gone; who works without a pointer goes on where it was.
  const takeFocusBack = useCallback((button: HTMLButtonElement | null) => {
    if (hasEdited.current) button?.focus();
  }, []);
  const edit = () => {
    hasEdited.current = true;
    setEditing(true);
  };
  if (editing) return <ProfileForm user={user} onDone={() => setEditing(false)} />;
  return (
    <div className="stack">
      <Details
        details={[
          { name: 'Full name', value: user.full_name || 'N/A' },
          { name: 'Email', value: user.email },
        ]}
      />
      <Button ref={takeFocusBack} variant="default" style={{ justifySelf: 'end' }} onClick={edit}>
        Edit
      </Button>
    </div>
  );
}

const takeFocus = (field: HTMLInputElement | null) => field?.focus();

const profileRules = rulesOf(profile);

function ProfileForm({ user, onDone }: { user: User; onDone: () => void }) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm({
    initialValues: { full_name: user.full_name ?? '', email: user.email },
    problems: profileRules,
    send: ({ full_name, email }) => call(updateMe, { body: { full_name: full_name.trim() || null, email } }),
    meta: { success: 'User updated successfully.' },
    onSent: (updated) => {
      // A read that is still on its way would bring the old name back.
      void client.cancelQueries({ queryKey: currentUserQuery.queryKey });
      client.setQueryData(currentUserQuery.queryKey, updated);
      onDone();
    },
  });
  useUnsaved(form.isDirty());
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <TextInput ref={takeFocus} label="Full name" autoComplete="name" {...form.getInputProps('full_name')} />
      <TextInput label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      <FormButtons sending={sending} disabled={!form.isDirty() || form.values.email === ''} onCancel={onDone} />
    </form>
  );
}
