import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import { BATCH_SCREEN_SORTS, BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import {
  findFrom,
  flagFrom,
  idFrom,
  oneOf,
  orderFrom,
  pageFrom,
  type RawSearch,
  withoutUnset,
} from '../../lists/list-search.ts';

export type BatchFilter = {
  /** A text that is looked for. */
  q?: string | undefined;
  status?: BatchStatus | undefined;
  isActive?: boolean | undefined;
  canRetry?: boolean | undefined;
  unhedged?: boolean | undefined;
  opportunityId?: string | undefined;
};

/** The state of the list, as it stands in the address. */
export type BatchSearch = BatchFilter & {
  page: number;
  sortBy: (typeof BATCH_SCREEN_SORTS)[number];
  sortOrder: SortOrder;
};

export const BATCH_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export function batchSearchFrom(raw: RawSearch): BatchSearch {
  return {
    page: pageFrom(raw.page),
    q: findFrom(raw.q),
    status: oneOf(BATCH_STATUSES, raw.status),
    isActive: flagFrom(raw.isActive),
    canRetry: flagFrom(raw.canRetry),
    unhedged: flagFrom(raw.unhedged),
    opportunityId: idFrom(raw.opportunityId),
    sortBy: oneOf(BATCH_SCREEN_SORTS, raw.sortBy) ?? BATCH_SEARCH_DEFAULTS.sortBy,
    sortOrder: orderFrom(raw.sortOrder),
  };
}

export function filterOf({ q, status, isActive, canRetry, unhedged, opportunityId }: BatchSearch): BatchFilter {
  return withoutUnset({ q, status, isActive, canRetry, unhedged, opportunityId });
}

export function activeFilters(search: BatchSearch): number {
  return Object.keys(filterOf(search)).length;
}
