import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import {
  decimalFrom,
  findFrom,
  flagFrom,
  isLetThrough,
  oneOf,
  orderFrom,
  pageFrom,
  type RawSearch,
} from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
export const SORTS = ['id', 'created_at', 'target_price', 'current_price', 'profit_percentage', 'active'] as const;

export type OpportunityFilter = {
  /** A text that is looked for. */
  q?: string | undefined;
  active?: boolean | undefined;
  triggered?: boolean | undefined;
  minProfitUsd?: number | undefined;
  /** In percent. */
  minProfit?: number | undefined;
};

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
    q: findFrom(raw.q),
    active: flagFrom(raw.active),
    triggered: flagFrom(raw.triggered),
    minProfitUsd: decimalFrom(raw.minProfitUsd),
    minProfit: decimalFrom(raw.minProfit),
    sortBy: oneOf(SORTS, raw.sortBy) ?? OPPORTUNITY_SEARCH_DEFAULTS.sortBy,
    sortOrder: orderFrom(raw.sortOrder),
  };
}

/** Whether the server lists `row` under this filter, as far as a row can tell: what is looked for may stand elsewhere. */
export function matchesFilter(row: OpportunityRow, { active, triggered, minProfit }: OpportunityFilter): boolean {
  const pays = minProfit === undefined || (row.profit_percentage ?? -Infinity) >= minProfit;
  return pays && isLetThrough(active, row.active) && isLetThrough(triggered, row.triggered);
}
