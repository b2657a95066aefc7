import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { rememberSearch } from '../../lists/list-search.ts';
import { LiveTable } from '../../lists/live-table.tsx';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorBar } from '../../ui/states.tsx';
import { useInSlices } from '../../ui/use-in-slices.ts';
import { usePageThatExists } from '../../ui/use-page-that-exists.ts';
import { ImportDialog } from './import-dialog.tsx';
import { opportunityColumns } from './opportunity-columns.tsx';
import { OpportunityFilters } from './opportunity-filters.tsx';
import { opportunityListKey, opportunityListQuery, PAGE_SIZE, useLatestRow } from './opportunity-queries.ts';
import { isFiltered, matchesFilter, type OpportunitySearch } from './opportunity-search.ts';
import { OpportunityToolbar } from './opportunity-toolbar.tsx';
import { ReorderButton } from './reorder-button.tsx';

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
      <OpportunityFilters search={search} onSearch={onSearch} />
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
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(opportunityListQuery(search));
  const matches = useMemo(() => (row: OpportunityRow) => matchesFilter(row, search), [search]);
  const filter = isFiltered(search) ? { matches, count: data?.count } : undefined;
  useListRefresh('opportunity', isPlaceholderData ? undefined : data?.data, refresh, filter);
  const rows = useInSlices(data?.data);
  const toPage = useCallback((page: number) => onSearch({ ...search, page }), [search, onSearch]);
  usePageThatExists({ page: search.page, pageSize: PAGE_SIZE, count: data?.count, onPage: toPage });
  const errorBar = error && (
    <ErrorBar
      text={`Error loading opportunities: ${errorText(error)}`}
      onRetry={() => refetch()}
      retrying={isFetching}
    />
  );
  if (data === undefined && error) return errorBar;
  if (data?.count === 0)
    return (
      <>
        {errorBar}
        <NoOpportunities search={search} onSearch={onSearch} onAdd={onAdd} onImport={onImport} />
      </>
    );
  return (
    <>
      {errorBar}
      <OpportunityTable rows={rows} busy={isPlaceholderData} search={search} onSearch={onSearch} refresh={refresh} />
      {data && rows && <Pager page={search.page} pageSize={PAGE_SIZE} count={data.count} onPage={toPage} />}
    </>
  );
}

type TableProps = Omit<PageProps, 'onAdd' | 'onImport'> & {
  rows: readonly Read<OpportunityRow>[] | undefined;
  busy: boolean;
};

const none: readonly never[] = [];

function OpportunityTable({ rows, busy, search, onSearch, refresh }: TableProps) {
  const [ownChanges, countOwnChange] = useReducer((count: number) => count + 1, 0);
  const [deleted, noteDeleted] = useReducer((ids: readonly string[], id: string) => [...ids, id], none);
  const columns = useMemo(() => opportunityColumns(noteDeleted), []);
  const navigate = useNavigate();
  const reorder = async () => {
    await refresh();
    countOwnChange();
  };
  return (
    <LiveTable
      label="Arbitrage Opportunities"
      columns={columns}
      rows={rows}
      pageSize={PAGE_SIZE}
      busy={busy}
      search={search}
      onSearch={onSearch}
      useLatest={useLatestRow}
      onOpen={({ id }) => navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: id } })}
      ownChanges={ownChanges}
      deleted={deleted}
      above={(shown) => <ReorderButton rows={shown} search={search} onReorder={reorder} />}
    />
  );
}

function NoOpportunities({ search, onSearch, onAdd, onImport }: Omit<PageProps, 'refresh'>) {
  const { active, triggered, ...unfiltered } = search;
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
        <Button variant="default" onClick={() => onSearch({ ...unfiltered, page: 1 })}>
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
