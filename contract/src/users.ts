import * as z from 'zod/mini';
import { user } from './current-user.ts';
import { endpoint, message, notFound, nothingDeleted, refusal, TOO_MANY_ATTEMPTS } from './endpoint.ts';
import { id, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import {
  email,
  fullName,
  fullNameAtSignUp,
  fullNameInProfile,
  passwordChosen,
  passwordGiven,
} from './rules/people-rules.ts';

const tag = 'Users';
const userId = z.object({ user_id: id });

export const profile = z.object({ full_name: z.optional(fullNameInProfile), email: z.optional(email) });

export const updateMe = endpoint({
  method: 'PATCH',
  path: '/users/me',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Change the own name or email',
  refusals: [refusal(409, 'Another account has this email.', 'User with this email already exists')],
  body: profile,
  reply: user,
});

export const passwordChange = z.object({
  current_password: described('The password as it is now.', passwordGiven),
  new_password: passwordChosen,
});

export const updateMyPassword = endpoint({
  method: 'PATCH',
  path: '/users/me/password',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Change the own password; every other session ends',
  refusals: [
    refusal(400, 'The current password is wrong, or the new one is equal to it.', 'Incorrect password'),
    TOO_MANY_ATTEMPTS,
  ],
  body: passwordChange,
  reply: message,
});

export const deleteMe = endpoint({
  method: 'DELETE',
  path: '/users/me',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Delete the own account',
  refusals: [refusal(403, 'The caller is a superuser.', 'Super users are not allowed to delete themselves')],
  reply: message,
});

export const signUpForm = z.object({ full_name: fullNameAtSignUp, email, password: passwordChosen });

export const signUp = endpoint({
  method: 'POST',
  path: '/users/signup',
  access: 'public',
  tag,
  summary: 'Make an account; where sign-up needs approval it starts inactive',
  refusals: [
    refusal(400, 'Another account has this email.', 'The user with this email already exists in the system'),
    refusal(409, 'People may not create accounts by themselves.', 'New accounts are not open here'),
    TOO_MANY_ATTEMPTS,
  ],
  body: signUpForm,
  reply: user,
});

/** `open`: a new account can log in at once. `approval`: a superuser activates it first. `off`: no sign-ups. */
const signUpPolicy = explained(
  {
    open: 'any visitor may, and logs in at once',
    approval: 'any visitor may, and a superuser activates the account',
    off: 'no sign-ups',
  },
  z.enum(['open', 'approval', 'off']),
);
export type SignUpPolicy = z.output<typeof signUpPolicy>;

export const readSignUpPolicy = endpoint({
  method: 'GET',
  path: '/system/sign-up-policy',
  access: 'public',
  tag,
  summary: 'Whether visitors may make an account',
  reply: z.object({ policy: described('Whether people may create accounts by themselves.', signUpPolicy) }),
});

export const listUsers = endpoint({
  method: 'GET',
  path: '/users/',
  access: 'superuser',
  heavy: 'list',
  tag,
  summary: 'All users, newest first',
  query: z.object(page),
  reply: listOf(user),
});

export const newUser = z.object({
  email,
  password: passwordChosen,
  full_name: z.optional(fullName),
  is_superuser: z._default(z.boolean(), false),
  is_viewer: z._default(z.boolean(), false),
  is_active: z._default(z.boolean(), false),
});

export const createUser = endpoint({
  method: 'POST',
  path: '/users/',
  access: 'superuser',
  tag,
  summary: 'Make an account for a user; a superuser cannot be a viewer',
  refusals: [refusal(400, 'Another account has this email.', 'The user with this email already exists in the system.')],
  body: newUser,
  reply: user,
});

export const readUser = endpoint({
  method: 'GET',
  path: '/users/{user_id}',
  access: 'superuser',
  tag,
  summary: 'One user',
  refusals: [notFound('User not found')],
  params: userId,
  reply: user,
});

export const userChanges = z.object({
  email: z.optional(email),
  password: z.optional(passwordChosen),
  full_name: z.optional(fullName),
  is_superuser: z.optional(z.boolean()),
  is_viewer: z.optional(z.boolean()),
  is_active: z.optional(z.boolean()),
});

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/{user_id}',
  access: 'superuser',
  tag,
  summary:
    'Change a user; a new password or a deactivation ends their sessions, a new role holds from their next call on',
  refusals: [
    notFound('User not found'),
    refusal(409, 'Another account has this email.', 'User with this email already exists'),
    refusal(
      409,
      'It would leave no superuser, or too few for sign-offs.',
      'The last active superuser cannot be removed or demoted',
    ),
  ],
  params: userId,
  body: userChanges,
  reply: user,
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}',
  access: 'superuser',
  tag,
  summary: 'Delete a user together with their items',
  refusals: [
    notFound('User not found'),
    refusal(403, 'The caller deletes the own account.', 'Super users are not allowed to delete themselves'),
    refusal(
      409,
      'It would leave no superuser, or too few for sign-offs.',
      'The last active superuser cannot be removed or demoted',
    ),
  ],
  params: userId,
  reply: message,
});

export const restoreUser = endpoint({
  method: 'POST',
  path: '/users/{user_id}/restore',
  access: 'superuser',
  tag,
  summary: 'Undo the deletion of a user and their items, within ten minutes; their sessions stay ended',
  refusals: [
    nothingDeleted('user'),
    refusal(409, 'Another account has this email.', 'User with this email already exists'),
  ],
  params: userId,
  reply: user,
});
