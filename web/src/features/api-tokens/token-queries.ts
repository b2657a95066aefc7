import { listAllApiTokens, listApiTokens } from '@dutchbook/contract/api-tokens.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

export const PAGE_SIZE = 20;

export const apiTokensKey = ['api-tokens'] as const;

export const ownTokensQuery = queryOptions({
  queryKey: [...apiTokensKey, 'own'],
  queryFn: ({ signal }) => call(listApiTokens, { signal }),
});

export function allTokensQuery(page: number) {
  return queryOptions({
    queryKey: [...apiTokensKey, 'all', page],
    queryFn: ({ signal }) =>
      call(listAllApiTokens, { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}
