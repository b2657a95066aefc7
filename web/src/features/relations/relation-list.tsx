import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { readAgain } from '../../calls/read-again.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { rememberSearch } from '../../lists/list-search.ts';
import { useListSettings } from '../../lists/list-settings.ts';
import { ReorderButton } from '../../lists/reorder-button.tsx';
import { fresher, type Read } from '../../live/fresher.ts';
import { useLiveStore, useTopic } from '../../live/live.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { NoRelations } from './no-relations.tsx';
import { RELATION_COLUMNS } from './relation-columns.tsx';
import {
  isFiltered,
  matchesFilter,
  relationListKey,
  relationListQuery,
  useLatestRelation,
} from './relation-queries.ts';
import type { RelationSearch } from './relation-search.ts';
import { RelationTools, withoutFilter } from './relation-tools.tsx';

type RelationListProps = { search: RelationSearch; onSearch: (search: RelationSearch) => void };

/** The watched relations: one page of them, live. */
export function RelationList({ search, onSearch }: RelationListProps) {
  useTopic('relations');
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, relationListKey), [client]);
  useEffect(() => rememberSearch('/discover', search), [search]);
  const { pageSize } = useListSettings('relations');
  const query = useQuery(relationListQuery(search, pageSize));
  const { data, isPlaceholderData } = query;
  const filtered = isFiltered(search);
  const matches = useMemo(() => (row: RelationRow) => matchesFilter(row, search), [search]);
  const filter = filtered ? { matches, count: data?.count } : undefined;
  useListRefresh('relation', isPlaceholderData ? undefined : data?.data, refresh, filter);
  const [ownChanges, countOwnChange] = useReducer((count: number) => count + 1, 0);
  const overtaken = useOvertaken(search);
  const navigate = useNavigate();
  const reorder = async () => {
    await refresh();
    countOwnChange();
  };
  return (
    <>
      <PageHeader
        title="Discover"
        actions={
          <Button variant="default" renderRoot={(props) => <Link to="/discover/census" {...props} />}>
            Census
          </Button>
        }
      />
      <RelationTools search={search} onSearch={onSearch} />
      <ListFrame
        list="relations"
        label="Relations"
        things="relations"
        query={query}
        refresh={refresh}
        columns={RELATION_COLUMNS}
        search={search}
        onSearch={onSearch}
        useLatest={useLatestRelation}
        onOpen={({ id }) => navigate({ to: '/discover/$relationId', params: { relationId: id } })}
        ownChanges={ownChanges}
        above={(shown) => <ReorderButton rows={shown} isOutOfOrder={overtaken} onReorder={reorder} />}
        empty={<NoRelations filtered={filtered} onShowAll={() => onSearch(withoutFilter(search))} />}
        actions={NO_ACTIONS}
      />
    </>
  );
}

const NO_ACTIONS: readonly never[] = [];

/** Answers whether rows that were read stand in another order by now than the one they are sorted by. */
function useOvertaken({ sortBy, sortOrder }: RelationSearch) {
  const store = useLiveStore();
  return useCallback(
    (rows: readonly Read<RelationRow>[]) => {
      if (sortBy !== 'distance' && sortBy !== 'profit_usd') return false;
      const values = rows.map((row) => fresher(row, store.read('relation', row.id))[sortBy]);
      const known = values.filter((value) => value !== null);
      return known.some((value, index) => {
        const next = known[index + 1] ?? value;
        return sortOrder === 'asc' ? value > next : value < next;
      });
    },
    [store, sortBy, sortOrder],
  );
}
