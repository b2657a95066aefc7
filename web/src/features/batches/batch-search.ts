import { BATCH_SCREEN_SORTS, BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { choice, flag, venue, wholeId } from '../../lists/filters.ts';
import { type FilterOf, findFrom, NEWEST_FIRST, searchReader } from '../../lists/list-search.ts';

export const BATCH_FILTER = {
  q: { from: findFrom },
  status: choice('Status', 'All statuses', BATCH_STATUSES),
  isActive: flag('Active Status', ['Any', 'Active only', 'Not active only']),
  canRetry: flag('Retry Status', ['Any', 'Can be retried', 'Cannot be retried']),
  unhedged: flag('Exposure', ['Any', 'Unhedged only', 'Whole sets only']),
  firstClips: flag('Series', ['Every clip', 'One row each', 'Later clips only']),
  venue: venue(),
  opportunityId: wholeId('Opportunity ID', { flex: '2 1 160px' }),
};

export type BatchFilter = FilterOf<typeof BATCH_FILTER>;

export const batchSearchFrom = searchReader(BATCH_FILTER, BATCH_SCREEN_SORTS, NEWEST_FIRST);

/** The state of the list, as it stands in the address. */
export type BatchSearch = ReturnType<typeof batchSearchFrom>;
