import {
  listRehearsalDifferences,
  listRehearsals,
  REHEARSALS_KEPT_MAX,
  type Rehearsal,
  readRehearsal,
} from '@dutchbook/contract/rehearsals.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

const READ_EVERY_MS = 1000;
export const DIFFERENCES_PAGE_SIZE = 10;

export const rehearsalsKey = ['rehearsals'];

export const isUnfinished = ({ state }: Rehearsal) => state === 'queued' || state === 'running';

/** All that are kept, the newest first; read again while one of them goes on. */
export const rehearsalsQuery = queryOptions({
  queryKey: [...rehearsalsKey, 'all'],
  queryFn: ({ signal }) => call(listRehearsals, { query: { skip: 0, limit: REHEARSALS_KEPT_MAX }, signal }),
  refetchInterval: ({ state }) => (state.data?.data.some(isUnfinished) ? READ_EVERY_MS : false),
});

export function rehearsalQuery(id: string) {
  return queryOptions({
    queryKey: [...rehearsalsKey, id],
    queryFn: ({ signal }) => call(readRehearsal, { params: { rehearsal_id: id }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnfinished(state.data) ? READ_EVERY_MS : false),
  });
}

/** `page` from 1. */
export function differencesQuery(id: string, page: number) {
  return queryOptions({
    queryKey: [...rehearsalsKey, id, 'differences', page],
    queryFn: ({ signal }) =>
      call(listRehearsalDifferences, {
        params: { rehearsal_id: id },
        query: { skip: (page - 1) * DIFFERENCES_PAGE_SIZE, limit: DIFFERENCES_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
