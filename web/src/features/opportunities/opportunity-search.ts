import type { SortOrder } from '@dutchbook/contract/listing.ts';
import {
  decimalFrom,
  findFrom,
  flagFrom,
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
  /** Of one set, after fees. */
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
