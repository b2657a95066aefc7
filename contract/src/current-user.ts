/** The signed-in user. Apart from the calls about users, so that pages that need only this load less. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';
import { described, explained } from './notes/described.ts';

/** A viewer sees what an operator sees, and can change only their own account. An operator is the ordinary user. */
export type Role = z.output<typeof role>;
const role = explained(
  { viewer: 'looks, and changes nothing', operator: 'trades', superuser: 'also manages users and settings' },
  z.enum(['viewer', 'operator', 'superuser']),
);

/** Why a viewer cannot change something, in replies of the API and on the screen. */
export const VIEWER_REFUSAL = 'Viewers can look, but not change anything.';

export const user = z.object({
  id,
  email: z.string(),
  full_name: z.nullable(z.string()),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  role,
});
export type User = z.output<typeof user>;

const me = z.object({
  ...user.shape,
  second_factor_missing: described(
    'The server requires a second factor of every user, and this user has none.',
    z.optional(z.literal(true)),
  ),
});

export const readMe = endpoint({
  method: 'GET',
  path: '/users/me',
  access: 'viewer',
  withoutDatabase: true,
  tag: 'Users',
  summary: 'The signed-in user',
  reply: me,
});

export const testToken = endpoint({
  method: 'POST',
  path: '/login/test-token',
  access: 'viewer',
  ownAccount: true,
  tag: 'Login',
  summary: 'Check an access token, and return its user',
  reply: user,
});
