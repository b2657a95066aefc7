/** What the scripts of a user call with, in place of a session: named, limited in what it may do and for how long. */
import * as z from 'zod/mini';
import { endpoint, message, notFound, refusal } from './endpoint.ts';
import { id, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { instant } from './quantities.ts';

/**
 * `read`: calls that only read. `trade`: what an operator may. `admin`: all that its owner may. Never more than its owner
 * may at the time, and never what is about accounts, sessions and tokens.
 */
export const apiTokenScope = explained(
  { read: 'calls that only read', trade: 'what an operator may', admin: 'what a superuser may' },
  z.enum(['read', 'trade', 'admin']),
);
export type ApiTokenScope = z.output<typeof apiTokenScope>;

/** The prefix of every token, by which a leaked one is recognised. */
export const API_TOKEN_PREFIX = 'dbk_';
export const API_TOKENS_PER_USER = 20;
const NAME_MAX = 60;
const DAYS_MAX = 365;

const apiToken = z.object({
  id,
  name: z.string(),
  scope: apiTokenScope,
  prefix: described('Its first characters.', z.string()),
  created_at: instant,
  expires_at: instant,
  last_used_at: described('To the minute, and from where; null before the first call with it.', z.nullable(instant)),
  last_used_address: described(
    'The network address that it was last used from; null before its first use.',
    z.nullable(z.string()),
  ),
});
export type ApiToken = z.output<typeof apiToken>;

const ownedApiToken = z.extend(apiToken, { owner: described('The email of the user it belongs to.', z.string()) });
export type OwnedApiToken = z.output<typeof ownedApiToken>;

const tag = 'API tokens';
const tokenId = z.object({ token_id: id });

export const newApiToken = z.object({
  name: z
    .string('Name is required')
    .check(
      z.trim(),
      z.minLength(1, 'Name is required'),
      z.maxLength(NAME_MAX, `Name must be at most ${NAME_MAX} characters`),
    ),
  scope: apiTokenScope,
  expires_in_days: described(
    'How many days it lasts.',
    z
      .int('Days must be a whole number')
      .check(
        z.minimum(1, `Days must be between 1 and ${DAYS_MAX}`),
        z.maximum(DAYS_MAX, `Days must be between 1 and ${DAYS_MAX}`),
      ),
  ),
});

export const listApiTokens = endpoint({
  method: 'GET',
  path: '/users/me/api-tokens',
  access: 'viewer',
  tag,
  summary: `The own API tokens, the newest first; ${API_TOKENS_PER_USER} at most`,
  reply: z.object({ data: z.array(apiToken) }),
});

export const createApiToken = endpoint({
  method: 'POST',
  path: '/users/me/api-tokens',
  access: 'viewer',
  tag,
  proven: true,
  summary: 'Make an API token; the answer is the only place where it is ever shown',
  refusals: [
    refusal(
      409,
      'The user has as many API tokens as one may have.',
      'You have 20 API tokens already: revoke one first',
    ),
    refusal(422, 'The scope is beyond what the user may.', 'Only superusers have tokens of the scope admin'),
  ],
  body: newApiToken,
  reply: z.extend(apiToken, {
    token: described('The token itself. It is shown this once and cannot be read again.', z.string()),
  }),
});

export const revokeApiToken = endpoint({
  method: 'DELETE',
  path: '/users/me/api-tokens/{token_id}',
  access: 'viewer',
  tag,
  summary: 'Revoke one of the own API tokens; the next call with it is refused',
  refusals: [notFound('API token not found')],
  params: tokenId,
  stops: true,
  reply: message,
});

export const listAllApiTokens = endpoint({
  method: 'GET',
  path: '/api-tokens/',
  access: 'superuser',
  heavy: 'list',
  tag,
  summary: 'The API tokens of all users, the newest first',
  query: z.object(page),
  reply: listOf(ownedApiToken),
});

export const revokeAnyApiToken = endpoint({
  method: 'DELETE',
  path: '/api-tokens/{token_id}',
  access: 'superuser',
  tag,
  summary: 'Revoke an API token of any owner',
  refusals: [notFound('API token not found')],
  params: tokenId,
  stops: true,
  reply: message,
});
