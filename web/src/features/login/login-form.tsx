import { createAccessToken, loginForm } from '@dutchbook/contract/login.ts';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react';
import { readDeviceToken, storeAccessToken, storeDeviceToken } from '../../calls/access-token.ts';
import { ApiError, fieldProblems } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { toastFailure } from '../../calls/toast-failure.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { EntryField, EntryForm } from '../../ui/entry-form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import type { AskedFactor, Factor, SecondStep } from '../second-factor/second-step.tsx';

const NOTHING = { username: '', password: '' };

const problemsOf = rulesOf(loginForm);

/** The password was right, and more is asked for. */
const isAskedFactor = (body: unknown): body is AskedFactor =>
  typeof body === 'object' && body !== null && 'second_factor' in body;

/** What a refused sign-in says beside the form: the toast goes by itself. */
function wrongPassword(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.status !== 400) return {};
  return { password: `${error.message}. Check both, or choose a new password by “Forgot Password?”.` };
}

/** For the greeting of the first page; without it that greets as always. */
async function rememberFirst(): Promise<void> {
  const code = await import('../../calls/remembered.ts').catch(() => undefined);
  code?.remember(code.FIRST_LOGIN, true);
}

/**
 * Exchanges email and password for a session; `onLoggedIn` leads on. It behaves as the other forms do, but without their
 * library: this is the page that people wait for with nothing loaded yet.
 */
export function LoginForm({ onLoggedIn }: { onLoggedIn: () => void }) {
  const [typed, setTyped] = useState(NOTHING);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const fields = { username: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) };
  const refuse = (found: Record<string, string>) => {
    setProblems(found);
    if (found.username) fields.username.current?.focus();
    else if (found.password) fields.password.current?.focus();
  };
  const [step, setStep] = useState<{ asked: AskedFactor; Step: typeof SecondStep }>();
  const { start, isPending } = useSingleMutation({
    mutationFn: (credentials: typeof NOTHING & Factor) => {
      const device = readDeviceToken();
      return call(createAccessToken, { body: { ...credentials, ...(device !== null && { device_token: device }) } });
    },
    onSuccess: async ({ access_token, device_token, first_login }) => {
      storeDeviceToken(device_token);
      storeAccessToken(access_token);
      if (first_login) await rememberFirst();
      onLoggedIn();
    },
    onError: (error) => {
      refuse({ ...wrongPassword(error), ...fieldProblems(error) });
      const asked = error instanceof ApiError && isAskedFactor(error.body) && error.body;
      if (!asked || step !== undefined) toastFailure(error);
      if (!asked) return;
      return import('../second-factor/second-step.tsx').then(
        (code) => setStep({ asked, Step: code.SecondStep }),
        toastFailure,
      );
    },
    meta: { quiet: true },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemsOf(typed);
    refuse(found);
    if (Object.keys(found).length === 0) start(typed);
  };
  const field = (name: keyof typeof NOTHING) => ({
    ref: fields[name],
    name,
    value: typed[name],
    error: problems[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [name]: currentTarget.value });
      setProblems({ ...problems, [name]: '' });
    },
    onBlur: () => setProblems({ ...problems, [name]: problemsOf(typed)[name] ?? problems[name] ?? '' }),
  });
  if (step !== undefined)
    return (
      <step.Step
        asked={step.asked}
        sending={isPending}
        onGiven={(factor) => start({ ...typed, ...factor })}
        onClose={() => setStep(undefined)}
      />
    );
  return (
    <EntryForm action="Log In" submit={submit} sending={isPending} links={<OtherWays />}>
      <EntryField label="Email" type="email" autoComplete="username" {...field('username')} />
      <PasswordField
        label="Password"
        placeholder="Password"
        autoComplete="current-password"
        size="md"
        {...field('password')}
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
