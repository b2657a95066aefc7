import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';

const user = z.object({
  id,
  email: z.string(),
  full_name: z.nullable(z.string()),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
});
export type User = z.output<typeof user>;

export const readMe = endpoint({
  method: 'GET',
  path: '/users/me',
  access: 'user',
  tag: 'Users',
  summary: 'The signed-in user',
  reply: user,
});
