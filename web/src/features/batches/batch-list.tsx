import type { Batch } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { rememberSearch } from '../../lists/list-search.ts';
import { LiveTable } from '../../lists/live-table.tsx';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorBar } from '../../ui/states.tsx';
import { useInSlices } from '../../ui/use-in-slices.ts';
import { usePageThatExists } from '../../ui/use-page-that-exists.ts';
import { batchColumns } from './batch-columns.tsx';
import { BatchFilters } from './batch-filters.tsx';
import { batchListKey, batchListQuery, PAGE_SIZE, useLatestBatch } from './batch-queries.ts';
import { activeFilters, type BatchFilter, type BatchSearch, matchesFilter } from './batch-search.ts';
import { CancelBatchDialog } from './cancel-batch-dialog.tsx';

type BatchListProps = { search: BatchSearch; onSearch: (search: BatchSearch) => void };

/** The list of batches: one page of it, live. */
export function BatchList({ search, onSearch }: BatchListProps) {
  useTopic('batches');
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, batchListKey), [client]);
  useEffect(() => rememberSearch('/batches', search), [search]);
  const { data, error, isPlaceholderData, isFetching } = useQuery(batchListQuery(search));
  const matches = useMemo(() => (batch: Batch) => matchesFilter(batch, search), [search]);
  const filter = activeFilters(search) === 0 ? undefined : { matches, count: data?.count };
  useListRefresh('batch', isPlaceholderData ? undefined : data?.data, refresh, filter);
  const rows = useInSlices(data?.data);
  const toPage = useCallback((page: number) => onSearch({ ...search, page }), [search, onSearch]);
  usePageThatExists({ page: search.page, pageSize: PAGE_SIZE, count: data?.count, onPage: toPage });
  const onFilter = (filter: BatchFilter) =>
    onSearch({ page: 1, sortBy: search.sortBy, sortOrder: search.sortOrder, ...filter });
  return (
    <>
      <PageHeader title="Batch Orders" actions={<RefreshButton refresh={refresh} />} />
      <BatchFilters key={JSON.stringify(search)} search={search} onFilter={onFilter} />
      {error && (
        <ErrorBar text={`Error loading batches: ${errorText(error)}`} onRetry={refresh} retrying={isFetching} />
      )}
      {data?.count === 0 ? (
        <NoBatches filtered={activeFilters(search) > 0} />
      ) : (
        (data !== undefined || error === null) && (
          <BatchTable rows={rows} busy={isPlaceholderData} search={search} onSearch={onSearch} />
        )
      )}
      {data !== undefined && rows !== undefined && data.count > 0 && (
        <Pager page={search.page} pageSize={PAGE_SIZE} count={data.count} onPage={toPage} />
      )}
    </>
  );
}

type BatchTableProps = BatchListProps & { rows: readonly Read<Batch>[] | undefined; busy: boolean };

function BatchTable({ rows, busy, search, onSearch }: BatchTableProps) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ about: Read<Batch>; opened: boolean }>();
  const columns = useMemo(() => batchColumns((about) => setAsked({ about, opened: true })), []);
  return (
    <>
      <LiveTable
        label="Batch Orders"
        columns={columns}
        rows={rows}
        pageSize={PAGE_SIZE}
        busy={busy}
        search={search}
        onSearch={onSearch}
        useLatest={useLatestBatch}
        onOpen={({ id }) => navigate({ to: '/batches/$batchId', params: { batchId: id } })}
      />
      {asked && (
        <CancelQuestion
          opened={asked.opened}
          about={asked.about}
          onClose={() => setAsked({ ...asked, opened: false })}
        />
      )}
    </>
  );
}

type CancelQuestionProps = { opened: boolean; about: Read<Batch>; onClose: () => void };

/** What is at risk may become known only while the question is open. */
function CancelQuestion({ opened, about, onClose }: CancelQuestionProps) {
  return <CancelBatchDialog opened={opened} batch={useLatestBatch(about, true)} onClose={onClose} />;
}

/** Busy only while somebody waits for it: the list also reads itself again unasked. */
function RefreshButton({ refresh }: { refresh: () => Promise<void> }) {
  const [waiting, setWaiting] = useState(false);
  const onClick = async () => {
    setWaiting(true);
    await refresh();
    setWaiting(false);
  };
  return (
    <Button variant="default" leftSection={<Icon name="refresh" />} loading={waiting} onClick={onClick}>
      Refresh
    </Button>
  );
}

function NoBatches({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState
      icon="batches"
      text="No batch orders found."
      hint={
        filtered
          ? 'None match these filters. Clear brings all of them back.'
          : 'A batch appears here when an order is placed for an opportunity.'
      }
    >
      {!filtered && <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>}
    </EmptyState>
  );
}
