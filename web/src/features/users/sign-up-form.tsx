import type { User } from '@dutchbook/contract/current-user.ts';
import { confirmationProblem } from '@dutchbook/contract/rules/people-rules.ts';
import { signUp, signUpForm } from '@dutchbook/contract/users.ts';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf, withConfirmation } from '../../forms/form-rules.ts';
import { EntryField, EntryForm } from '../../ui/entry-form.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';

type SignUpDraft = { full_name: string; email: string; password: string; confirm_password: string };

const NOBODY: SignUpDraft = { full_name: '', email: '', password: '', confirm_password: '' };

const accountRules = rulesOf(signUpForm);

function problemsOf(draft: SignUpDraft): Record<string, string> {
  return withConfirmation(accountRules(draft), confirmationProblem(draft.password, draft.confirm_password));
}

/** Makes an account; `onSignedUp` gets whether it can be used at once. */
export function SignUpForm({ onSignedUp }: { onSignedUp: (user: User) => void }) {
  const { form, submit, sending } = useContractForm({
    initialValues: NOBODY,
    problems: problemsOf,
    send: ({ full_name, email, password }) => call(signUp, { body: { full_name, email, password } }),
    onSent: onSignedUp,
  });
  return (
    <EntryForm action="Sign Up" submit={submit} sending={sending} links={<ToLogin />}>
      <EntryField label="Full Name" autoComplete="name" {...form.getInputProps('full_name')} />
      <EntryField label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      <NewPasswordFields label="Password" chosen={form.getInputProps('password')} form={form} size="md" />
    </EntryForm>
  );
}

function ToLogin() {
  return (
    <span>
      Already have an account? <Link to="/login">Log In</Link>
    </span>
  );
}
