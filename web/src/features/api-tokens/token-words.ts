import type { ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';

/** What each scope is called, and lets a script do. */
export const SCOPE_WORDS: Record<ApiTokenScope, string> = {
  read: 'Read',
  trade: 'Trade',
  admin: 'Admin',
};

export const SCOPE_MEANS: Record<ApiTokenScope, string> = {
  read: 'Calls that only read.',
  trade: 'What an operator may: read, and place, sell and change what the desk follows.',
  admin: 'What a superuser may, system settings and arming among it.',
};
