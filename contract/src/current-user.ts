/** Who is signed in, apart from the calls about users: every page carries this and not those. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';
import { described, explained } from './notes/described.ts';

/** A viewer sees what an operator sees, and changes nothing but the own account. An operator is the ordinary user. */
export type Role = z.output<typeof role>;
const role = explained(
  { viewer: 'looks, and changes nothing', operator: 'trades', superuser: 'also manages users and settings' },
  z.enum(['viewer', 'operator', 'superuser']),
);

/** What a viewer is answered, and shown where something would change. */
export const VIEWERS_LOOK = 'Viewers can look, but not change anything.';

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
    'Everybody is asked for a second factor, and they have none.',
    z.optional(z.literal(true)),
  ),
});

export const readMe = endpoint({
  method: 'GET',
  path: '/users/me',
  access: 'viewer',
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
  summary: 'Whether the access token holds, and whose it is',
  reply: user,
});
