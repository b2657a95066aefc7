import { listSignOffs } from '@dutchbook/contract/sign-offs.ts';
import { callQuery, pageQuery, rowsOf } from '../../calls/call-query.ts';

export const PAGE_SIZE = 20;
/** More than a superuser decides on before the first of them expire. */
const OPEN_MAX = 100;
/** In case another person's decision was not received. */
const READ_ANYWAY_MS = 5_000;

export const signOffsKey = ['sign-offs'] as const;

/** Sign-offs that wait for a second person. */
export const openSignOffsQuery = callQuery(
  [...signOffsKey, 'open'],
  listSignOffs,
  { query: { skip: 0, limit: OPEN_MAX, state: 'open' } },
  { refetchInterval: READ_ANYWAY_MS },
);

/** All of them, the newest first. */
export function signOffListQuery(page: number) {
  return pageQuery(
    [...signOffsKey, 'all', page],
    listSignOffs,
    {
      query: rowsOf(page, PAGE_SIZE),
    },
    { refetchInterval: READ_ANYWAY_MS },
  );
}
