import { createAccessToken, loginForm } from '@dutchbook/contract/login.ts';
import { Button, TextInput } from '@mantine/core';
import { storeAccessToken } from '../../app/access-token.ts';
import { call } from '../../app/call.ts';
import { useContractForm } from '../../app/contract-form.ts';
import { rulesOf } from '../../app/form-rules.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import styles from './login-form.module.css';

/** Exchanges email and password for a session; `onLoggedIn` leads on. */
export function LoginForm({ onLoggedIn }: { onLoggedIn: () => void }) {
  const { form, submit, sending } = useContractForm({
    initialValues: { username: '', password: '' },
    problems: rulesOf(loginForm),
    send: (credentials) => call(createAccessToken, { body: credentials }),
    onSent: ({ access_token }) => {
      storeAccessToken(access_token);
      onLoggedIn();
    },
  });
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextInput
        label="Email"
        placeholder="Email"
        type="email"
        autoComplete="username"
        size="md"
        name="username"
        {...form.getInputProps('username')}
      />
      <PasswordField
        label="Password"
        placeholder="Password"
        autoComplete="current-password"
        size="md"
        name="password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" fullWidth loading={sending}>
        Log In
      </Button>
    </form>
  );
}
