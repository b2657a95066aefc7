import type { User } from '@dutchbook/contract/current-user.ts';
import { confirmationProblem } from '@dutchbook/contract/rules/people-rules.ts';
import { passwordChange, updateMyPassword } from '@dutchbook/contract/users.ts';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf, withConfirmation } from '../../forms/form-rules.ts';
import { useUnsaved } from '../../forms/unsaved.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

/** Changes the own password; the session in this tab goes on. */
export function PasswordPanel({ user }: { user: User }) {
  const { form, submit, sending } = useContractForm({
    initialValues: { current_password: '', new_password: '', confirm_password: '' },
    problems: passwordProblems,
    send: ({ current_password, new_password }) => call(updateMyPassword, { body: { current_password, new_password } }),
    meta: { success: 'Password updated successfully.' },
    onSent: () => form.reset(),
  });
  useUnsaved(form.isDirty());
  return (
    <form className="stack" noValidate onSubmit={submit}>
      {/* Tells a password manager whose password changes. */}
      <input hidden readOnly autoComplete="username" value={user.email} />
      <PasswordField
        label="Current Password"
        placeholder="Current Password"
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
      <NewPasswordFields label="New Password" chosen={form.getInputProps('new_password')} form={form} />
      <FormButtons sending={sending} disabled={!form.isValid()} />
    </form>
  );
}

const changeRules = rulesOf(passwordChange);

type PasswordDraft = { current_password: string; new_password: string; confirm_password: string };

function passwordProblems(draft: PasswordDraft): Record<string, string> {
  return withConfirmation(changeRules(draft), confirmationProblem(draft.new_password, draft.confirm_password));
}
