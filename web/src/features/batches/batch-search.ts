import { BATCH_SCREEN_SORTS, BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { type FilterOf, findFrom, flagFrom, idFrom, oneOf, searchReader } from '../../lists/list-search.ts';

const FILTER = {
  q: findFrom,
  status: oneOf(BATCH_STATUSES),
  isActive: flagFrom,
  canRetry: flagFrom,
  unhedged: flagFrom,
  opportunityId: idFrom,
};

export type BatchFilter = FilterOf<typeof FILTER>;

export const BATCH_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export const batchSearchFrom = searchReader(FILTER, BATCH_SCREEN_SORTS, BATCH_SEARCH_DEFAULTS);

/** The state of the list, as it stands in the address. */
export type BatchSearch = ReturnType<typeof batchSearchFrom>;
