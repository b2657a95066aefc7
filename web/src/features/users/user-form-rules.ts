import type { User } from '@dutchbook/contract/current-user.ts';
import { confirmationProblem } from '@dutchbook/contract/rules/people-rules.ts';
import { newUser, userChanges } from '@dutchbook/contract/users.ts';
import type * as z from 'zod/mini';
import { rulesOf, withConfirmation } from '../../forms/form-rules.ts';

/** What the forms for one account hold while they are filled in. */
export type UserDraft = {
  email: string;
  full_name: string;
  password: string;
  confirm_password: string;
  is_superuser: boolean;
  is_viewer: boolean;
  is_active: boolean;
};

/** An account to make, as its call wants it. */
export function newUserOf({ confirm_password: _repeated, ...account }: UserDraft) {
  return { ...account, full_name: nameOf(account) };
}

/** An account as it stood when its form was opened. */
type Editable = Pick<User, 'email' | 'full_name' | 'is_superuser' | 'is_active' | 'role'>;
type Changes = z.output<typeof userChanges>;

/** An account with nothing changed yet. */
export function userDraftOf({ email, full_name, is_superuser, is_active, role }: Editable): UserDraft {
  const passwords = { password: '', confirm_password: '' };
  return { email, full_name: full_name ?? '', ...passwords, is_superuser, is_viewer: role === 'viewer', is_active };
}

/**
 * The changes to an account, as their call wants them: only what differs is sent, so that what another superuser changed
 * meanwhile stays. An empty password stays what it was.
 */
export function userChangesOf(draft: UserDraft, before: Editable): Changes {
  const { email, full_name, password, is_superuser, is_viewer, is_active } = draft;
  const was = userDraftOf(before);
  return {
    ...(email === was.email ? {} : { email }),
    ...(full_name === was.full_name ? {} : { full_name: nameOf(draft) }),
    ...(password === '' ? {} : { password }),
    ...(is_superuser === was.is_superuser ? {} : { is_superuser }),
    ...(is_viewer === was.is_viewer ? {} : { is_viewer }),
    ...(is_active === was.is_active ? {} : { is_active }),
  };
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

export function userChangesProblems(draft: UserDraft, before: Editable): Record<string, string> {
  const { password, confirm_password } = draft;
  const isUnchanged = password === '' && confirm_password === '';
  return withConfirmation(
    userChangesRules(userChangesOf(draft, before)),
    isUnchanged ? null : confirmationProblem(password, confirm_password),
  );
}
