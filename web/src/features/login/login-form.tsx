import { createAccessToken, loginForm } from '@dutchbook/contract/login.ts';
import { Link } from '@tanstack/react-router';
import { readDeviceToken, storeAccessToken, storeDeviceToken } from '../../calls/access-token.ts';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { EntryField, EntryForm } from '../../ui/entry-form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

/** Exchanges email and password for a session; `onLoggedIn` leads on. */
export function LoginForm({ onLoggedIn }: { onLoggedIn: () => void }) {
  const { form, submit, sending } = useContractForm({
    initialValues: { username: '', password: '' },
    problems: rulesOf(loginForm),
    send: (credentials) => {
      const device = readDeviceToken();
      return call(createAccessToken, { body: { ...credentials, ...(device !== null && { device_token: device }) } });
    },
    onSent: ({ access_token, device_token }) => {
      storeDeviceToken(device_token);
      storeAccessToken(access_token);
      onLoggedIn();
    },
  });
  return (
    <EntryForm action="Log In" submit={submit} sending={sending} links={<OtherWays />}>
      <EntryField
        label="Email"
        type="email"
        autoComplete="username"
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
    </EntryForm>
  );
}

function OtherWays() {
  return (
    <>
      <Link to="/recover-password">Forgot Password?</Link>
      <span>
        New here? <Link to="/signup">Sign Up</Link>
      </span>
    </>
  );
}
