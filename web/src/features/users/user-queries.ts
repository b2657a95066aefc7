import { listUsers } from '@dutchbook/contract/users.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

export const PAGE_SIZE = 5;

export const userListKey = ['users'] as const;

export function userListQuery(page: number) {
  return queryOptions({
    queryKey: [...userListKey, page],
    queryFn: ({ signal }) => call(listUsers, { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}
