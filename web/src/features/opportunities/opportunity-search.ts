import { decimalFrom, type FilterOf, findFrom, flagFrom, searchReader } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
export const SORTS = ['id', 'created_at', 'target_price', 'current_price', 'profit_percentage', 'active'] as const;

const FILTER = {
  q: findFrom,
  active: flagFrom,
  triggered: flagFrom,
  /** Of one set, after fees. */
  minProfitUsd: decimalFrom,
  /** In percent. */
  minProfit: decimalFrom,
};

export type OpportunityFilter = FilterOf<typeof FILTER>;

export const OPPORTUNITY_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

export const opportunitySearchFrom = searchReader(FILTER, SORTS, OPPORTUNITY_SEARCH_DEFAULTS);

/** The state of the list, as it stands in the address. */
export type OpportunitySearch = ReturnType<typeof opportunitySearchFrom>;
