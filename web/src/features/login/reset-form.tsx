import { resetForm, resetPassword } from '@dutchbook/contract/login.ts';
import { confirmationProblem } from '@dutchbook/contract/rules/people-rules.ts';
import { Link } from '@tanstack/react-router';
import { ApiError, fieldProblems } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf, withConfirmation } from '../../forms/form-rules.ts';
import { EntryForm } from '../../ui/entry-form.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';

type ResetFormProps = {
  token: string;
  onReset: () => void;
  /** The server does not take the token, now or ever. */
  onTokenRefused: () => void;
};

const passwordRules = rulesOf(resetForm);

function problemsOf(values: { new_password: string; confirm_password: string }): Record<string, string> {
  return withConfirmation(passwordRules(values), confirmationProblem(values.new_password, values.confirm_password));
}

/** Whether another password with the same token would be refused just as well. */
function isOfToken(error: unknown): boolean {
  return (error instanceof ApiError && error.status === 400) || 'token' in fieldProblems(error);
}

/** Sets a new password with the token of a recovery mail. */
export function ResetForm({ token, onReset, onTokenRefused }: ResetFormProps) {
  const { form, submit, sending } = useContractForm({
    initialValues: { new_password: '', confirm_password: '' },
    problems: problemsOf,
    send: async ({ new_password }) => {
      try {
        return await call(resetPassword, { body: { new_password, token } });
      } catch (error) {
        if (isOfToken(error)) onTokenRefused();
        throw error;
      }
    },
    meta: { success: 'Password updated successfully.' },
    onSent: onReset,
  });
  return (
    <EntryForm
      action="Reset Password"
      submit={submit}
      sending={sending}
      links={<Link to="/login">Back to Log In</Link>}
    >
      <NewPasswordFields label="New Password" chosen={form.getInputProps('new_password')} form={form} size="md" />
    </EntryForm>
  );
}
