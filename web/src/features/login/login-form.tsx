import { createAccessToken, loginForm } from '@dutchbook/contract/login.ts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { storeAccessToken } from '../../app/access-token.ts';
import { call } from '../../app/call.ts';
import { rulesOf } from '../../app/form-rules.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './login-form.module.css';

/** Exchanges email and password for a session; `onLoggedIn` leads on. */
export function LoginForm({ onLoggedIn }: { onLoggedIn: () => void }) {
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: rulesOf(loginForm),
    validateInputOnBlur: true,
  });
  const login = useMutation({
    mutationFn: (credentials: { username: string; password: string }) => call(createAccessToken, { body: credentials }),
    onSuccess: ({ access_token }) => {
      storeAccessToken(access_token);
      onLoggedIn();
    },
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(
        (credentials) => login.mutate(credentials),
        (errors) => form.getInputNode(errors.username ? 'username' : 'password')?.focus(),
      )}
    >
      <TextInput
        label="Email"
        placeholder="Email"
        type="email"
        autoComplete="username"
        size="md"
        name="username"
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label="Password"
        placeholder="Password"
        autoComplete="current-password"
        size="md"
        name="password"
        visibilityToggleIcon={() => <Icon name="eye" />}
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" fullWidth loading={login.isPending}>
        Log In
      </Button>
    </form>
  );
}
