import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { ChangeOf } from '../live/live-store.ts';
import { useReadSoon } from '../live/read-soon.ts';
import type { OpenList } from './list.ts';
import { activeFilters, type Listed } from './list-search.ts';

type Row = { id: string; created_at: Instant };

/** What a list is narrowed to: how many rows there are of it on all pages, and whether a row is one of them. */
type Filter<Type extends ChangeType> = { count: number | undefined; matches: (row: RowOf<Type>) => boolean };

type RowOf<Type extends ChangeType> = NonNullable<ChangeOf<Type>['data']>;

/** A change of a row may arrive up to a second before a list that is read has it. */
const FILTERED_READS = 2;

const NONE: readonly never[] = [];

/** Reads the page of a list again when a row is created or deleted; where it has a filter, when one begins or ceases to match. */
export function useListRefresh<Type extends ChangeType, Search extends Listed>(
  type: Type,
  { search, query, refresh }: Pick<OpenList<Row, Search>, 'search' | 'query' | 'refresh'>,
  matchesFilter: (row: RowOf<Type>, search: Search) => boolean,
): void {
  const { data, isPlaceholderData } = query;
  const matches = useCallback((row: RowOf<Type>) => matchesFilter(row, search), [matchesFilter, search]);
  const filter = activeFilters(search) === 0 ? undefined : { count: data?.count, matches };
  useRowsRefresh(type, isPlaceholderData ? undefined : data?.data, refresh, filter);
}

/**
 * Reads rows again when the stream tells of one that has just been created or deleted; with a `filter`, when one begins or
 * ceases to match it. `rows` are undefined until those that are asked for have come.
 */
export function useRowsRefresh<Type extends ChangeType>(
  type: Type,
  rows: readonly Row[] | undefined,
  refresh: () => void,
  filter?: Filter<Type>,
): void {
  const considered = useRef(new Set<string>());
  const changed = useChanged(type, rows, filter);
  const matters = useCallback(
    (change: Change) => {
      const hasMoved = changed?.(change) ?? false;
      return hasMoved || (rows !== undefined && isFirstChange(change, { type, rows, considered: considered.current }));
    },
    [type, rows, changed],
  );
  useReadSoon(matters, refresh, filter === undefined ? 1 : FILTERED_READS);
}

/** `hasChanged` for a list that has a filter. */
function useChanged<Type extends ChangeType>(
  type: Type,
  asked: readonly Row[] | undefined,
  filter: Filter<Type> | undefined,
) {
  const { matches, count } = filter ?? {};
  const rows = asked ?? NONE;
  // What comes before the first answer may be missing in it.
  const isWhole = asked === undefined || rows.length === count;
  const rule = useMemo(() => matches && { type, matches, elsewhere: new Map<string, boolean>() }, [type, matches]);
  useEffect(() => {
    if (rule !== undefined) noteShown(rule.elsewhere, rows);
  }, [rule, rows]);
  return useMemo(
    () => rule && ((change: Change) => hasChanged(change, rule, { rows, isWhole })),
    [rule, rows, isWhole],
  );
}

type Rule<Type extends ChangeType> = Pick<Filter<Type>, 'matches'> & {
  type: Type;
  /** Rows with changes that are not shown: whether they matched at their last change. */
  elsewhere: Map<string, boolean>;
};

/** `isWhole`: no row that matches stands on another page. */
type Shown = { rows: readonly Row[]; isWhole: boolean };

/**
 * Whether by `change` a row has begun or ceased to match, as far as the list that is shown does not say so already. A match
 * with a first change may well stand on another page, and the rows of this one do not jump for it.
 */
export function hasChanged<Type extends ChangeType>(
  change: Change,
  { type, matches, elsewhere }: Rule<Type>,
  { rows, isWhole }: Shown,
): boolean {
  if (change.type !== type && change.type !== 'opportunity_deleted') return false;
  const { id, data } = change;
  const isMatch = data !== null && matches(data as RowOf<Type>);
  const isShown = rows.some((row) => row.id === id);
  if (isWhole) elsewhere.clear();
  const wasMatch = elsewhere.get(id) ?? (isShown || (!isWhole && isMatch));
  if (!isWhole) elsewhere.set(id, isMatch);
  return isMatch !== wasMatch;
}

/** Forgets what was known of the rows that the list which has come shows. */
export function noteShown(elsewhere: Map<string, boolean>, rows: readonly Row[]): void {
  for (const { id } of rows) elsewhere.delete(id);
}

type Known = { type: ChangeType; rows: readonly Row[]; considered: Set<string> };

/** Whether `change` reports a creation or deletion that was not `considered` before; from now on it was. */
export function isFirstChange(change: Change, { type, rows, considered }: Known): boolean {
  const event = `${change.type} ${change.id}`;
  if (considered.has(event) || !isRelevant(change, type, rows)) return false;
  considered.add(event);
  return true;
}

/** Whether `change` is a row younger than all that are shown, or the end of one that is. */
export function isRelevant(change: Change, type: ChangeType, rows: readonly Row[]): boolean {
  const isShown = rows.some(({ id }) => id === change.id);
  if (change.type === 'opportunity_deleted') return isShown;
  if (change.type !== type || isShown || change.data === null || !('created_at' in change.data)) return false;
  const { created_at } = change.data;
  return rows.every((row) => row.created_at < created_at);
}
