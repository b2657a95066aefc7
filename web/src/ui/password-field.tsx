import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { Icon } from './icons.tsx';

/** A password, hidden until somebody asks to see it. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleIcon={() => <Icon name="eye" />}
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
      {...props}
    />
  );
}
