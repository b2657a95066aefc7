import type { MantineSize, PasswordInputProps } from '@mantine/core';
import { PasswordField } from './password-field.tsx';
import { PasswordStrength } from './password-strength.tsx';

/** The part of a form that both fields need. */
type NewPasswordForm = {
  getInputProps: (name: 'confirm_password') => PasswordInputProps;
  errors: { confirm_password?: unknown };
  validateField: (name: 'confirm_password') => unknown;
};

type NewPasswordFieldsProps = {
  label: 'Password' | 'New Password';
  chosen: PasswordInputProps & { value?: string };
  form: NewPasswordForm;
  size?: MantineSize;
};

/** A password to be chosen, how strong it is, and the same once more. */
export function NewPasswordFields({ label, chosen, form, size = 'sm' }: NewPasswordFieldsProps) {
  return (
    <>
      <div>
        <PasswordField
          label={label}
          placeholder={label}
          autoComplete="new-password"
          size={size}
          {...chosen}
          onBlur={(event) => {
            chosen.onBlur?.(event);
            // What was said of the repetition may not be true any more.
            if (form.errors.confirm_password) form.validateField('confirm_password');
          }}
        />
        <PasswordStrength password={chosen.value ?? ''} />
      </div>
      <PasswordField
        label="Confirm Password"
        placeholder="Confirm Password"
        autoComplete="new-password"
        size={size}
        {...form.getInputProps('confirm_password')}
      />
    </>
  );
}
