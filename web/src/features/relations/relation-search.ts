import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from '@dutchbook/contract/list-values.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { RelationBasis, RelationKind, RelationState } from '@dutchbook/contract/relations.ts';
import { decimalFrom, findFrom, flagFrom, oneOf, pageFrom, type RawSearch } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
const SORTS = ['distance', 'profit_usd', 'last_hit_at', 'kind', 'basis', 'state'] as const;

export type RelationFilter = {
  /** A text that is looked for. */
  q?: string | undefined;
  kind?: RelationKind | undefined;
  basis?: RelationBasis | undefined;
  state?: RelationState | undefined;
  /** Dollars it would make now at its best size. */
  minProfitUsd?: number | undefined;
  followed?: boolean | undefined;
};

/** The state of the list, as it stands in the address. */
export type RelationSearch = RelationFilter & { page: number; sortBy: (typeof SORTS)[number]; sortOrder: SortOrder };

export const RELATION_SEARCH_DEFAULTS = { page: 1, sortBy: 'distance', sortOrder: 'asc' } as const;

export function relationSearchFrom(raw: RawSearch): RelationSearch {
  return {
    page: pageFrom(raw.page),
    q: findFrom(raw.q),
    kind: oneOf(RELATION_KINDS, raw.kind),
    basis: oneOf(RELATION_BASES, raw.basis),
    state: oneOf(RELATION_STATES, raw.state),
    minProfitUsd: decimalFrom(raw.minProfitUsd),
    followed: flagFrom(raw.followed),
    sortBy: oneOf(SORTS, raw.sortBy) ?? RELATION_SEARCH_DEFAULTS.sortBy,
    sortOrder: raw.sortOrder === 'desc' ? 'desc' : 'asc',
  };
}
