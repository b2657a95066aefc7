import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import styles from './user-fields.module.css';
import type { UserDraft } from './user-form-rules.ts';

type UserFieldsProps = {
  form: UseFormReturnType<UserDraft>;
  /** Said of the password, where it may stay empty. */
  passwordHint?: string;
};

/** What is said of one account, to add and to edit it. */
export function UserFields({ form, passwordHint }: UserFieldsProps) {
  return (
    <>
      <TextInput
        label="Email"
        placeholder="Email"
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput label="Full name" placeholder="Full name" autoComplete="off" {...form.getInputProps('full_name')} />
      <NewPasswordFields
        label="Password"
        chosen={{ ...form.getInputProps('password'), description: passwordHint }}
        form={form}
      />
      <div className={styles.checks}>
        <Checkbox
          label="Is superuser?"
          {...form.getInputProps('is_superuser', { type: 'checkbox' })}
          disabled={form.values.is_viewer}
        />
        <Checkbox
          label="Is viewer?"
          description="Sees all that users see, and changes nothing. A superuser cannot be one."
          {...form.getInputProps('is_viewer', { type: 'checkbox' })}
          disabled={form.values.is_superuser}
        />
        <Checkbox label="Is active?" {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </div>
    </>
  );
}
