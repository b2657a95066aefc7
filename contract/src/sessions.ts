/** Where a user is signed in. */
import * as z from 'zod/mini';
import { endpoint, message, notFound } from './endpoint.ts';
import { id } from './listing.ts';
import { described } from './notes/described.ts';
import { instant } from './quantities.ts';

const tag = 'Sessions';

const session = z.object({
  id,
  started_at: instant,
  last_seen_at: described('When it was last used.', instant),
  expires_at: described('Unless it is used again.', instant),
  device: described('What the browser or program calls itself, and the address that it was seen at last.', z.string()),
  address: described('The network address it was opened from.', z.string()),
  current: described('Whether this very call was made in it.', z.boolean()),
});
export type OpenSession = z.output<typeof session>;

export const logOut = endpoint({
  method: 'POST',
  path: '/login/log-out',
  access: 'viewer',
  tag,
  summary: 'End the session that the call is made in',
  stops: true,
  reply: message,
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/users/me/sessions',
  access: 'viewer',
  tag,
  summary: 'Where the own account is signed in, the last seen first; fifty at most',
  reply: z.object({ data: z.array(session) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/users/me/sessions/{session_id}',
  access: 'viewer',
  tag,
  summary: 'End one of the own sessions',
  stops: true,
  refusals: [notFound('Session not found')],
  params: z.object({ session_id: described('The session.', id) }),
  reply: message,
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/users/me/sessions/end-others',
  access: 'viewer',
  tag,
  summary: 'End all own sessions but the one that the call is made in',
  stops: true,
  reply: message,
});

export const endSessionsOfUser = endpoint({
  method: 'POST',
  path: '/users/{user_id}/end-sessions',
  access: 'superuser',
  tag,
  summary: 'End all sessions of a user, who has to sign in again',
  stops: true,
  refusals: [notFound('User not found')],
  params: z.object({ user_id: id }),
  reply: message,
});
