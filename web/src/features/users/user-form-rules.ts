import { confirmationProblem } from '@dutchbook/contract/people-rules.ts';
import { newUser, userChanges } from '@dutchbook/contract/users.ts';
import { rulesOf, withConfirmation } from '../../app/form-rules.ts';

/** What the forms for one account hold while they are filled in. */
export type UserDraft = {
  email: string;
  full_name: string;
  password: string;
  confirm_password: string;
  is_superuser: boolean;
  is_active: boolean;
};

/** An account to make, as its call wants it. */
export function newUserOf({ confirm_password: _repeated, ...account }: UserDraft) {
  return { ...account, full_name: nameOf(account) };
}

/** The changes to an account, as their call wants them: an empty password stays what it was and is not sent. */
export function userChangesOf({ confirm_password: _repeated, password, ...account }: UserDraft) {
  return { ...account, full_name: nameOf(account), ...(password === '' ? {} : { password }) };
}

function nameOf({ full_name }: Pick<UserDraft, 'full_name'>): string | null {
  return full_name.trim() || null;
}

const newUserRules = rulesOf(newUser);
const userChangesRules = rulesOf(userChanges);

export function newUserProblems(draft: UserDraft): Record<string, string> {
  const { password, confirm_password } = draft;
  const unconfirmed = confirmationProblem(password, confirm_password, 'Please confirm your password');
  return withConfirmation(newUserRules(newUserOf(draft)), unconfirmed);
}

export function userChangesProblems(draft: UserDraft): Record<string, string> {
  const { password, confirm_password } = draft;
  const isUnchanged = password === '' && confirm_password === '';
  return withConfirmation(
    userChangesRules(userChangesOf(draft)),
    isUnchanged ? null : confirmationProblem(password, confirm_password),
  );
}
