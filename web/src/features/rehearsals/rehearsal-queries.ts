import {
  listRehearsalDifferences,
  listRehearsals,
  REHEARSALS_KEPT_MAX,
  type Rehearsal,
  readRehearsal,
} from '@dutchbook/contract/rehearsals.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { callQuery, pageQuery, rowsOf } from '../../calls/call-query.ts';

const READ_EVERY_MS = 1000;
export const DIFFERENCES_PAGE_SIZE = 10;

export const rehearsalsKey = ['rehearsals'];

export const isUnfinished = ({ state }: Rehearsal) => state === 'queued' || state === 'running';

/** All that are kept, the newest first; read again while one of them goes on. */
export const rehearsalsQuery = callQuery(
  [...rehearsalsKey, 'all'],
  listRehearsals,
  { query: { skip: 0, limit: REHEARSALS_KEPT_MAX } },
  { refetchInterval: ({ state }) => (state.data?.data.some(isUnfinished) ? READ_EVERY_MS : false) },
);

export function rehearsalQuery(id: string) {
  return callQuery(
    [...rehearsalsKey, id],
    readRehearsal,
    { params: { rehearsal_id: id } },
    { refetchInterval: ({ state }) => (state.data !== undefined && isUnfinished(state.data) ? READ_EVERY_MS : false) },
  );
}

/** `page` from 1; `venue`: those with a position there. */
export function differencesQuery(id: string, page: number, venue?: VenueName) {
  return pageQuery([...rehearsalsKey, id, 'differences', venue, page], listRehearsalDifferences, {
    params: { rehearsal_id: id },
    query: { ...rowsOf(page, DIFFERENCES_PAGE_SIZE), ...(venue !== undefined && { venue }) },
  });
}
