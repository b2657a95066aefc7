import { ORDER_SIDES, ORDER_STATUSES } from '@dutchbook/contract/list-values.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { OrderSide, OrderStatus } from '@dutchbook/contract/orders.ts';
import { findFrom, flagFrom, idFrom, oneOf, orderFrom, pageFrom, type RawSearch } from '../../lists/list-search.ts';

/** What the columns of the list sort by; each has an index. */
const SORTS = ['created_at', 'status'] as const;

export type OrderFilter = {
  /** A text that is looked for. */
  q?: string | undefined;
  status?: OrderStatus | undefined;
  side?: OrderSide | undefined;
  marketId?: string | undefined;
  hasError?: boolean | undefined;
  unknown?: boolean | undefined;
  batchId?: string | undefined;
  opportunityId?: string | undefined;
};

/** The state of the list, as it stands in the address. */
export type OrderSearch = OrderFilter & { page: number; sortBy: (typeof SORTS)[number]; sortOrder: SortOrder };

export const ORDER_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export function orderSearchFrom(raw: RawSearch): OrderSearch {
  return {
    page: pageFrom(raw.page),
    q: findFrom(raw.q),
    status: oneOf(ORDER_STATUSES, raw.status),
    side: oneOf(ORDER_SIDES, raw.side),
    marketId: findFrom(raw.marketId),
    hasError: flagFrom(raw.hasError),
    unknown: flagFrom(raw.unknown),
    batchId: idFrom(raw.batchId),
    opportunityId: idFrom(raw.opportunityId),
    sortBy: oneOf(SORTS, raw.sortBy) ?? ORDER_SEARCH_DEFAULTS.sortBy,
    sortOrder: orderFrom(raw.sortOrder),
  };
}
