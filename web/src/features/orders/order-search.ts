import { ORDER_SIDES, ORDER_STATUSES } from '@dutchbook/contract/list-values.ts';
import { choice, flag, venue } from '../../lists/filters.ts';
import { FIND_LENGTH_MAX, findFrom, idFrom, NEWEST_FIRST, searchReader } from '../../lists/list-search.ts';

const LOOK = { flex: '0 1 130px' };

export const ORDER_FILTER = {
  q: { from: findFrom },
  status: choice('Status', 'All statuses', ORDER_STATUSES, LOOK),
  side: choice('Side', 'Buy and sell', ORDER_SIDES, { ...LOOK, words: { buy: 'Buy only', sell: 'Sell only' } }),
  marketId: { label: 'Market ID', from: findFrom, flex: '0 1 170px', maxLength: FIND_LENGTH_MAX },
  venue: venue(LOOK),
  hasError: flag('Error', ['Any', 'With an error', 'Without'], LOOK),
  unknown: flag('Unknown', ['Any', 'Unknown only', 'Known only'], LOOK),
  batchId: { from: idFrom },
  opportunityId: { from: idFrom },
};

/** The columns sort by what has an index. */
export const orderSearchFrom = searchReader(ORDER_FILTER, ['created_at', 'status'], NEWEST_FIRST);

/** The state of the list, as it stands in the address. */
export type OrderSearch = ReturnType<typeof orderSearchFrom>;
