import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { readAgain } from '../calls/read-again.ts';
import { type ReadPage, readPage } from '../live/fresher.ts';
import { type Listed, type RawSearch, rememberSearch } from './list-search.ts';
import { type ListName, useListSettings } from './list-settings.ts';

type Query<Search extends Listed, Filter> = Filter & {
  skip: number;
  limit: number;
  sort_by: Search['sortBy'];
  sort_order: Search['sortOrder'];
};

/** One page of a list as its address asks for it; `filter` and `read` are the call's. Its keys begin with the list's name. */
export function listQuery<Row extends object, Search extends Listed, Filter extends object>(
  list: ListName,
  { page, sortBy, sortOrder }: Search,
  pageSize: number,
  filter: Filter,
  read: (query: Query<Search, Filter>, signal: AbortSignal) => Promise<{ data: Row[]; count: number }>,
) {
  const query = { skip: (page - 1) * pageSize, limit: pageSize, ...filter, sort_by: sortBy, sort_order: sortOrder };
  return queryOptions({
    queryKey: [list, query] as QueryKey,
    queryFn: ({ signal }) => readPage(() => read(query, signal)),
    placeholderData: keepPreviousData,
  });
}

/** The state of a list, and what changes it. */
type ListState<Search> = {
  list: ListName;
  search: Search;
  /** Reads the state of the list from its address. */
  searchFrom: (raw: RawSearch) => Search;
  onSearch: (search: Search) => void;
};

/** The page of a list that is shown, with what its frame, its filters and its refresh need to know of it. */
export type ListPage<Row, Search extends Listed> = ListState<Search> & {
  query: Pick<UseQueryResult<ReadPage<Row>>, 'data' | 'error' | 'isPlaceholderData' | 'isFetching' | 'dataUpdatedAt'>;
  /** Reads the list again. */
  refresh: () => Promise<void>;
};

type ListPageOptions<Row extends object, Search extends Listed> = ListState<Search> & {
  queryOf: (search: Search, pageSize: number) => ReturnType<typeof listQuery<Row, Search, object>>;
};

export function useListPage<Row extends object, Search extends Listed>(
  options: ListPageOptions<Row, Search>,
): ListPage<Row, Search> {
  const { queryOf, ...state } = options;
  const { list, search } = state;
  const { pageSize } = useListSettings(list);
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, [list]), [client, list]);
  useEffect(() => rememberSearch(list, search), [list, search]);
  return { ...state, query: useQuery(queryOf(search, pageSize)), refresh };
}
