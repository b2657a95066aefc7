import { decimal, flag, venue } from '../../lists/filters.ts';
import { type FilterOf, findFrom, searchReader } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
export const SORTS = [
  'about',
  'profit_usd',
  'max_profitable_size',
  'pays_at',
  'id',
  'created_at',
  'target_price',
  'current_price',
  'profit_percentage',
  'profit_usd',
  'annualised_return',
  'active',
] as const;

const FLAG = { flex: '0 1 150px' };
const LEAST = { flex: '0 1 110px' };

export const OPPORTUNITY_FILTER = {
  q: { from: findFrom },
  active: flag('Active', ['Active and inactive', 'Active only', 'Inactive only'], FLAG),
  venue: venue(FLAG),
  triggered: flag('Triggered', ['Triggered or not', 'Triggered only', 'Not triggered only'], FLAG),
  /** Profit of a set, after fees. */
  minProfitUsd: decimal('Least $ per Set', LEAST),
  minProfit: decimal('Least Profit %', LEAST),
};

export type OpportunityFilter = FilterOf<typeof OPPORTUNITY_FILTER>;

/** Dollars are known of active ones alone, which so come first. */
export const MOST_DOLLARS_FIRST = { page: 1, sortBy: 'profit_usd', sortOrder: 'desc' } as const;

export const opportunitySearchFrom = searchReader(OPPORTUNITY_FILTER, SORTS, MOST_DOLLARS_FIRST);

/** The state of the list, as it stands in the address. */
export type OpportunitySearch = ReturnType<typeof opportunitySearchFrom>;
