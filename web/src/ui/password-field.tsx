import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password, hidden until the user asks to see it. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }} {...props} />;
}
