import type { ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { Refusal } from './errors.ts';

/**
 * Who comes into the desk, and how: a stolen token must not create access that outlasts it. And what takes a second
 * person, which a token is not.
 */
const OF_PEOPLE =
  /^\/((users|login|api-tokens|password-recovery-html-content)\/|sign-offs\/\{sign_off_id\}\/(approve|reject)$)/;
const FOR_TOKENS: readonly string[] = ['GET /users/me', 'GET /users/', 'GET /users/{user_id}'];

/** Beside what its owner may, which is looked at as for a session. @throws Refusal 403 */
export function refuseBeyondScope(
  { method, path, access }: Pick<Endpoint, 'method' | 'path' | 'access'>,
  scope: ApiTokenScope,
): void {
  if (OF_PEOPLE.test(path) && !FOR_TOKENS.includes(`${method} ${path}`))
    throw new Refusal(403, 'No API token may do this: log in');
  if (scope === 'read' && method !== 'GET') throw new Refusal(403, 'This API token may only read');
  if (scope !== 'admin' && access === 'superuser')
    throw new Refusal(403, 'This API token may not do what is for superusers: its scope is not admin');
}
