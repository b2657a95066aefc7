import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { passwordGiven, username } from './people-rules.ts';

/** The form of /login: the username is the email. */
export const loginForm = z.object({ username, password: passwordGiven });

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/login/access-token',
  access: 'public',
  tag: 'Login',
  summary: 'Exchange email and password for an access token',
  encoding: 'form',
  body: z.object({ ...loginForm.shape, grant_type: z.optional(z.string().check(z.maxLength(50))) }),
  reply: z.object({ access_token: z.string(), token_type: z.literal('bearer') }),
});
