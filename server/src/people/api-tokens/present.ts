import type { ApiToken } from '@dutchbook/contract/api-tokens.ts';
import type { ApiTokenRow } from './store.ts';

export function presentApiToken(row: ApiTokenRow): ApiToken {
  const { id, name, scope, prefix, createdAt, expiresAt, lastUsedAt, lastUsedAddress } = row;
  return {
    ...{ id, name, scope, prefix, created_at: createdAt, expires_at: expiresAt },
    ...{ last_used_at: lastUsedAt, last_used_address: lastUsedAddress },
  };
}
