import { keepPreviousData, type QueryKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type UseNavigateResult, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { readAgain } from '../calls/read-again.ts';
import { type Read, type ReadPage, readPage } from '../live/fresher.ts';
import type { Column } from '../ui/data-table.tsx';
import type { IconName } from '../ui/icons.tsx';
import type { FilterField } from './filter-fields.tsx';
import { filterOf, type Listed, type RawSearch, rememberSearch } from './list-search.ts';
import { type ListName, useListSettings } from './list-settings.ts';
import type { BulkAction } from './selection.tsx';

/** Where the rows of a list come from. */
export type ListSource<Row extends object, Search extends Listed> = {
  /** What several rows are called, and the beginning of the keys of its queries. */
  name: ListName;
  /** Asks for one page; the filter in `search` is the list's own to translate. */
  read: (page: Page<Search>, search: Search, signal: AbortSignal) => Promise<{ data: Row[]; count: number }>;
};

type Page<Search extends Listed> = {
  skip: number;
  limit: number;
  sort_by: Search['sortBy'];
  sort_order: Search['sortOrder'];
};

export type Folds<Row extends object, Search extends Listed> = {
  /** On the button that shows every row by itself, and on the one that folds them again. */
  words: { each: string; folded: string };
  /** Key of a folded row, which stays when another row takes its place; null for a single row. */
  keyOf: (row: Read<Row>) => string | null;
  /** Whether a row is of sums alone, and nothing can be done with it; without it none is. */
  isSum?: (row: Read<Row>) => boolean;
  /** What is behind a row, newest first; the filter in `search` holds for it too. */
  read: (
    row: Row,
    search: Search,
    page: Pick<Page<Search>, 'skip' | 'limit'>,
    signal: AbortSignal,
  ) => Promise<{ data: Row[]; count: number }>;
};

/** A list by description; `ListFrame` draws it. */
export type List<Row extends object, Search extends Listed> = ListSource<Row, Search> & {
  /** Reads the state of the list from its address. */
  searchFrom: (raw: RawSearch) => Search;
  /** What the table is called. */
  label: string;
  icon: IconName;
  /** What can be looked for, in a few words; without it, nothing can. */
  findHint?: string;
  /** Filters that hold at once; those of a panel of its own are given to `ListFilters`. */
  fields?: readonly FilterField<string>[];
  columns: readonly Column<Read<Row>, Search['sortBy']>[];
  /** A hook that answers the newest state of a row, where the stream moves it. */
  useLatest?: (row: Read<Row>, isNear: boolean) => Read<Row>;
  /** Which rows are of a moment that is over, and what so many of them at the end are called, which fold while nothing is filtered. */
  past?: { is: (row: Read<Row>) => boolean; words: (count: number) => string };
  /** Where one row stands for several. */
  folds?: Folds<Row, Search>;
  /** Where a row leads. */
  open: (row: Row, navigate: UseNavigateResult<string>) => void;
  /** What stands in place of a list that has nothing in it. */
  empty: ReactNode;
  /** What can be done with several rows at once. */
  actions?: readonly BulkAction<Read<Row>>[];
};

/** One page of a list in the order of `search`. */
export function listQuery<Row extends object, Search extends Listed>(
  { name, read }: ListSource<Row, Search>,
  search: Search,
  pageSize: number,
) {
  const { page, sortBy, sortOrder } = search;
  const asked = { skip: (page - 1) * pageSize, limit: pageSize, sort_by: sortBy, sort_order: sortOrder };
  return queryOptions({
    queryKey: [name, search, pageSize] as QueryKey,
    queryFn: ({ signal }): Promise<ReadPage<Row>> => readPage(() => read(asked, search, signal)),
    placeholderData: keepPreviousData,
  });
}

/** The state of a list, as it stands in the address, and what changes it. */
export function useListSearch<Search extends object>(searchFrom: (raw: RawSearch) => Search) {
  const raw: RawSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => searchFrom(raw), [searchFrom, raw]);
  const onSearch = useCallback((next: Search) => void navigate({ to: '.', search: next as never }), [navigate]);
  return { search, onSearch };
}

/** The page of a list that is shown: its description, its state and what was read of it. */
export function useList<Row extends object, Search extends Listed>(list: List<Row, Search>) {
  const { name, searchFrom } = list;
  const state = useListSearch(searchFrom);
  const { search } = state;
  const { pageSize } = useListSettings(name);
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, [name]), [client, name]);
  useEffect(() => rememberSearch(name, search), [name, search]);
  return { ...list, ...state, query: useQuery(listQuery(list, search, pageSize)), refresh };
}

export type OpenList<Row extends object, Search extends Listed> = ReturnType<typeof useList<Row, Search>>;

/** Rows shown below an opened row. */
const BEHIND_MAX = 25;

/** How the rows behind others are known and read; none where every row stands by itself. */
export function useUnfold<Row extends object, Search extends Listed>({
  name,
  search,
  folds,
}: Pick<OpenList<Row, Search>, 'name' | 'search' | 'folds'>): Unfold<Read<Row>> | undefined {
  return useMemo(() => {
    if (folds === undefined || search.each) return undefined;
    const { keyOf, read } = folds;
    const page = { skip: 0, limit: BEHIND_MAX };
    const readOne = async (row: Read<Row>, signal: AbortSignal) =>
      [keyOf(row) ?? '', await readPage(() => read(row, search, page, signal))] as const;
    return {
      keyOf,
      queryKey: [name, 'behind', filterOf(search)],
      read: async (rows, signal) => new Map(await Promise.all(rows.map((row) => readOne(row, signal)))),
    };
  }, [name, search, folds]);
}

export type Unfold<Row extends object> = {
  keyOf: (row: Row) => string | null;
  queryKey: QueryKey;
  /** What is behind each of these rows, by the key of the row. */
  read: (rows: readonly Row[], signal: AbortSignal) => Promise<ReadonlyMap<string, { data: Row[]; count: number }>>;
};
