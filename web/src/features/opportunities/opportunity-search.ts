import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { flagFrom, oneOf, orderFrom, pageFrom, type RawSearch } from '../../app/list-search.ts';

/** What the columns of the list sort by. */
export const SORTS = ['id', 'created_at', 'target_price', 'current_price', 'profit_percentage', 'active'] as const;

/** The state of the list, as it stands in the address. */
export type OpportunitySearch = {
  page: number;
  active?: boolean | undefined;
  triggered?: boolean | undefined;
  sortBy: (typeof SORTS)[number];
  sortOrder: SortOrder;
};

export const OPPORTUNITY_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export function opportunitySearchFrom(raw: RawSearch): OpportunitySearch {
  return {
    page: pageFrom(raw.page),
    active: flagFrom(raw.active),
    triggered: flagFrom(raw.triggered),
    sortBy: oneOf(SORTS, raw.sortBy) ?? OPPORTUNITY_SEARCH_DEFAULTS.sortBy,
    sortOrder: orderFrom(raw.sortOrder),
  };
}
