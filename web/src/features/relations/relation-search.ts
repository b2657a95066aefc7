import { PAIR_VIEWS, RELATION_BASES, RELATION_KINDS, RELATION_STATES } from '@dutchbook/contract/list-values.ts';
import type { PairView } from '@dutchbook/contract/relations.ts';
import { choice, decimal, flag, venue } from '../../lists/filters.ts';
import { type FilterOf, findFrom, searchReader } from '../../lists/list-search.ts';

/** What the columns of the list sort by. */
const SORTS = ['distance', 'profit_usd', 'last_hit_at', 'kind', 'basis', 'state'] as const;

const LOOK = { flex: '0 1 136px' };
const SHOWN_PAIRS = PAIR_VIEWS.filter((view) => view !== 'left_out');

export const RELATION_FILTER = {
  q: { from: findFrom },
  kind: choice('Kind', 'All kinds', RELATION_KINDS, LOOK),
  basis: choice('Basis', 'All bases', RELATION_BASES, LOOK),
  state: choice('State', 'All states', RELATION_STATES, LOOK),
  needsApproval: flag('Approval', ['Needed or not', 'Needs approval', 'Needs none'], LOOK),
  venue: venue(LOOK),
  /** Dollars it would make now at its best size. */
  minProfitUsd: decimal('Least Dollars', { flex: '0 1 104px' }),
  /** Where none is chosen: see `pairsShown`. */
  pairs: choice('Pairs', 'Pairs that pay', SHOWN_PAIRS, {
    ...LOOK,
    words: { by_event: 'One pair an event', each: 'All pairs' },
  }),
  followed: flag('Followed', ['Followed or not', 'Followed by me', 'Not followed'], LOOK),
};

export type RelationFilter = FilterOf<typeof RELATION_FILTER>;

export const NEAREST_FIRST = { page: 1, sortBy: 'distance', sortOrder: 'asc' } as const;

export const relationSearchFrom = searchReader(RELATION_FILTER, SORTS, NEAREST_FIRST);

/** Pairs are left out unless they pay or the user filters for them: by kind, by event, or to those that are followed. */
export function pairsShown({ pairs, kind, q, followed }: RelationFilter): PairView {
  if (pairs !== undefined) return pairs;
  if (followed === true) return 'each';
  return kind === 'pair' || q !== undefined ? 'by_event' : 'left_out';
}

/** The order in which the list opens has what pays first, then events whose outcomes are all listed. */
export function isCompleteFirst({ sortBy, sortOrder }: Pick<RelationSearch, 'sortBy' | 'sortOrder'>): boolean {
  return sortBy === NEAREST_FIRST.sortBy && sortOrder === NEAREST_FIRST.sortOrder;
}

/** The state of the list, as it stands in the address. */
export type RelationSearch = ReturnType<typeof relationSearchFrom>;
