import { ORDER_SIDES, ORDER_STATUSES } from '@dutchbook/contract/list-values.ts';
import { type FilterOf, findFrom, flagFrom, idFrom, oneOf, searchReader } from '../../lists/list-search.ts';

const FILTER = {
  q: findFrom,
  status: oneOf(ORDER_STATUSES),
  side: oneOf(ORDER_SIDES),
  marketId: findFrom,
  hasError: flagFrom,
  unknown: flagFrom,
  batchId: idFrom,
  opportunityId: idFrom,
};

export type OrderFilter = FilterOf<typeof FILTER>;

export const ORDER_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

/** The columns sort by what has an index. */
export const orderSearchFrom = searchReader(FILTER, ['created_at', 'status'], ORDER_SEARCH_DEFAULTS);

/** The state of the list, as it stands in the address. */
export type OrderSearch = ReturnType<typeof orderSearchFrom>;
