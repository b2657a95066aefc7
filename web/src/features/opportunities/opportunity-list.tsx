import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { readAgain } from '../../calls/read-again.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { rememberSearch } from '../../lists/list-search.ts';
import { useListSettings } from '../../lists/list-settings.ts';
import { ReorderButton } from '../../lists/reorder-button.tsx';
import { fresher, type Read } from '../../live/fresher.ts';
import { useLiveStore, useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { bulkActions } from './bulk-actions.ts';
import { ImportDialog } from './import-dialog.tsx';
import { opportunityColumns } from './opportunity-columns.tsx';
import {
  isFiltered,
  matchesFilter,
  opportunityListKey,
  opportunityListQuery,
  useLatestRow,
} from './opportunity-queries.ts';
import type { OpportunitySearch } from './opportunity-search.ts';
import { OpportunityToolbar } from './opportunity-toolbar.tsx';
import { OpportunityTools } from './opportunity-tools.tsx';
import { RecentProfits } from './recent-profits.tsx';
import { isByPrice, isOutOfOrder } from './row-order.ts';

const AddOpportunityDialog = lazyDialog(() =>
  import('./add/add-opportunity-dialog.tsx').then((code) => code.AddOpportunityDialog),
);

type OpportunityListProps = {
  search: OpportunitySearch;
  onSearch: (search: OpportunitySearch) => void;
  /** What runs in the background, above the table. */
  progress: ReactNode;
};

/** The list of opportunities: one page of it, live. */
export function OpportunityList({ search, onSearch, progress }: OpportunityListProps) {
  const [importing, setImporting] = useState(false);
  const [adding, setAdding] = useState(false);
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, opportunityListKey), [client]);
  useEffect(() => rememberSearch('/arbitrage', search), [search]);
  const add = () => setAdding(true);
  const importFile = () => setImporting(true);
  return (
    <>
      <PageHeader
        title="Arbitrage Opportunities"
        actions={<OpportunityToolbar search={search} onAdd={add} onImport={importFile} />}
      />
      {progress}
      <OpportunityPage search={search} onSearch={onSearch} refresh={refresh} onAdd={add} onImport={importFile} />
      <ImportDialog opened={importing} onClose={() => setImporting(false)} onImported={refresh} />
      <AddOpportunityDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

type PageProps = Omit<OpportunityListProps, 'progress'> & {
  refresh: () => Promise<void>;
  onAdd: () => void;
  onImport: () => void;
};

function OpportunityPage({ search, onSearch, refresh, onAdd, onImport }: PageProps) {
  useTopic('opportunities');
  const { pageSize } = useListSettings('opportunities');
  const query = useQuery(opportunityListQuery(search, pageSize));
  const { data, isPlaceholderData } = query;
  const ids = useMemo(() => data?.data.map(({ id }) => id) ?? [], [data]);
  const matches = useMemo(() => (row: OpportunityRow) => matchesFilter(row, search), [search]);
  const filter = isFiltered(search) ? { matches, count: data?.count } : undefined;
  useListRefresh('opportunity', isPlaceholderData ? undefined : data?.data, refresh, filter);
  const [ownChanges, countOwnChange] = useReducer((count: number) => count + 1, 0);
  const navigate = useNavigate();
  const overtaken = useOvertaken(search);
  const reorder = async () => {
    await refresh();
    countOwnChange();
  };
  return (
    <>
      <OpportunityTools columns={opportunityColumns} search={search} onSearch={onSearch} />
      <RecentProfits ids={ids}>
        <ListFrame
          list="opportunities"
          label="Arbitrage Opportunities"
          things="opportunities"
          query={query}
          refresh={refresh}
          columns={opportunityColumns}
          search={search}
          onSearch={onSearch}
          useLatest={useLatestRow}
          onOpen={({ id }) => navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: id } })}
          ownChanges={ownChanges}
          above={(shown) => <ReorderButton rows={shown} isOutOfOrder={overtaken} onReorder={reorder} />}
          empty={<NoOpportunities search={search} onSearch={onSearch} onAdd={onAdd} onImport={onImport} />}
          actions={bulkActions}
        />
      </RecentProfits>
    </>
  );
}

/** Answers whether rows that were read stand in another order by now than the one they are sorted by. */
function useOvertaken({ sortBy, sortOrder }: OpportunitySearch) {
  const store = useLiveStore();
  return useCallback(
    (rows: readonly Read<OpportunityRow>[]) =>
      isByPrice(sortBy) &&
      isOutOfOrder(
        rows.map((row) => fresher(row, store.read('opportunity', row.id))),
        { sortBy, sortOrder },
      ),
    [store, sortBy, sortOrder],
  );
}

function NoOpportunities({ search, onSearch, onAdd, onImport }: Omit<PageProps, 'refresh'>) {
  const { sortBy, sortOrder } = search;
  const filtered = isFiltered(search);
  return (
    <EmptyState
      icon="arbitrage"
      text="No arbitrage opportunities found."
      hint={
        filtered
          ? 'None match these filters.'
          : 'Build one from the markets of the venue, or import a CSV file with one opportunity per row.'
      }
    >
      {filtered ? (
        <Button variant="default" onClick={() => onSearch({ page: 1, sortBy, sortOrder })}>
          Show All
        </Button>
      ) : (
        <>
          <Button leftSection={<Icon name="plus" />} onClick={onAdd}>
            Add the First One
          </Button>
          <Button variant="default" leftSection={<Icon name="upload" />} onClick={onImport}>
            Choose a CSV File
          </Button>
        </>
      )}
    </EmptyState>
  );
}
