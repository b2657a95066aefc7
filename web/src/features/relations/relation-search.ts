import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from '@dutchbook/contract/list-values.ts';
import { choice, decimal, flag } from '../../lists/filters.ts';
import { type FilterOf, findFrom, searchReader } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
const SORTS = ['distance', 'profit_usd', 'last_hit_at', 'kind', 'basis', 'state'] as const;

const LOOK = { flex: '0 1 136px' };

export const RELATION_FILTER = {
  q: { from: findFrom },
  kind: choice('Kind', 'All kinds', RELATION_KINDS, LOOK),
  basis: choice('Basis', 'All bases', RELATION_BASES, LOOK),
  state: choice('State', 'All states', RELATION_STATES, LOOK),
  /** Dollars it would make now at its best size. */
  minProfitUsd: decimal('Least Dollars', { flex: '0 1 104px' }),
  followed: flag('Followed', ['Followed or not', 'Followed by me', 'Not followed'], LOOK),
};

export type RelationFilter = FilterOf<typeof RELATION_FILTER>;

export const NEAREST_FIRST = { page: 1, sortBy: 'distance', sortOrder: 'asc' } as const;

export const relationSearchFrom = searchReader(RELATION_FILTER, SORTS, NEAREST_FIRST);

/** The state of the list, as it stands in the address. */
export type RelationSearch = ReturnType<typeof relationSearchFrom>;
