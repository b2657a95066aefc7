import { listSignOffs } from '@dutchbook/contract/sign-offs.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

export const PAGE_SIZE = 20;
/** More than anybody decides on before the first of them expire. */
const OPEN_MAX = 100;
/** In case another person's decision was not received. */
const READ_ANYWAY_MS = 5_000;

export const signOffsKey = ['sign-offs'] as const;

/** Those that wait for a second person. */
export const openSignOffsQuery = queryOptions({
  queryKey: [...signOffsKey, 'open'],
  queryFn: ({ signal }) => call(listSignOffs, { query: { skip: 0, limit: OPEN_MAX, state: 'open' }, signal }),
  refetchInterval: READ_ANYWAY_MS,
});

/** All of them, the newest first. */
export function signOffListQuery(page: number) {
  return queryOptions({
    queryKey: [...signOffsKey, 'all', page],
    queryFn: ({ signal }) => call(listSignOffs, { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: READ_ANYWAY_MS,
  });
}
