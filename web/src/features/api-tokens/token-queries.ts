import { listAllApiTokens, listApiTokens } from '@dutchbook/contract/api-tokens.ts';
import { callQuery, pageQuery, rowsOf } from '../../calls/call-query.ts';

export const PAGE_SIZE = 20;

export const apiTokensKey = ['api-tokens'] as const;

export const ownTokensQuery = callQuery([...apiTokensKey, 'own'], listApiTokens, {});

export function allTokensQuery(page: number) {
  return pageQuery([...apiTokensKey, 'all', page], listAllApiTokens, {
    query: rowsOf(page, PAGE_SIZE),
  });
}
