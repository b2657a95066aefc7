import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { FormEventHandler } from 'react';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import styles from './user-fields.module.css';
import type { UserDraft } from './user-form-rules.ts';

type UserFieldsProps = {
  form: UseFormReturnType<UserDraft>;
  submit: FormEventHandler<HTMLFormElement>;
  sending: boolean;
  onCancel: () => void;
  /** Said of the password, where it may stay empty. */
  passwordHint?: string;
};

/** The form for one account, the same to add and to edit it. */
export function UserFields({ form, submit, sending, onCancel, passwordHint }: UserFieldsProps) {
  return (
    <form className={styles.fields} noValidate onSubmit={submit}>
      <TextInput
        label="Email"
        placeholder="Email"
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput label="Full name" placeholder="Full name" autoComplete="off" {...form.getInputProps('full_name')} />
      <div>
        <PasswordField
          label="Password"
          placeholder="Password"
          autoComplete="new-password"
          description={passwordHint}
          {...form.getInputProps('password')}
        />
        <PasswordStrength password={form.values.password} />
      </div>
      <PasswordField
        label="Confirm Password"
        placeholder="Confirm Password"
        autoComplete="new-password"
        {...form.getInputProps('confirm_password')}
      />
      <div className={styles.checks}>
        <Checkbox label="Is superuser?" {...form.getInputProps('is_superuser', { type: 'checkbox' })} />
        <Checkbox label="Is active?" {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </div>
      <FormButtons sending={sending} onCancel={onCancel} />
    </form>
  );
}
