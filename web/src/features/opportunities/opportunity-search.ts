import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { flagFrom, isLetThrough, oneOf, orderFrom, pageFrom, type RawSearch } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
export const SORTS = ['id', 'created_at', 'target_price', 'current_price', 'profit_percentage', 'active'] as const;

export type OpportunityFilter = { active?: boolean | undefined; triggered?: boolean | undefined };

/** The state of the list, as it stands in the address. */
export type OpportunitySearch = OpportunityFilter & {
  page: number;
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

export function isFiltered({ active, triggered }: OpportunityFilter): boolean {
  return active !== undefined || triggered !== undefined;
}

/** Whether the server lists `row` under this filter. */
export function matchesFilter(row: OpportunityRow, { active, triggered }: OpportunityFilter): boolean {
  return isLetThrough(active, row.active) && isLetThrough(triggered, row.triggered);
}
