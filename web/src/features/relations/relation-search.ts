import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from '@dutchbook/contract/list-values.ts';
import { decimalFrom, type FilterOf, findFrom, flagFrom, oneOf, searchReader } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
const SORTS = ['distance', 'profit_usd', 'last_hit_at', 'kind', 'basis', 'state'] as const;

const FILTER = {
  q: findFrom,
  kind: oneOf(RELATION_KINDS),
  basis: oneOf(RELATION_BASES),
  state: oneOf(RELATION_STATES),
  /** Dollars it would make now at its best size. */
  minProfitUsd: decimalFrom,
  followed: flagFrom,
};

export type RelationFilter = FilterOf<typeof FILTER>;

export const RELATION_SEARCH_DEFAULTS = { page: 1, sortBy: 'distance', sortOrder: 'asc' } as const;

export const relationSearchFrom = searchReader(FILTER, SORTS, RELATION_SEARCH_DEFAULTS);

/** The state of the list, as it stands in the address. */
export type RelationSearch = ReturnType<typeof relationSearchFrom>;
