import { type Batch, exportBatches } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { rememberSearch } from '../../lists/list-search.ts';
import { useListSettings } from '../../lists/list-settings.ts';
import { ListTools } from '../../lists/list-tools.tsx';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { batchColumns } from './batch-columns.tsx';
import { BatchFilters } from './batch-filters.tsx';
import { batchListKey, batchListQuery, filterQuery, matchesFilter, useLatestBatch } from './batch-queries.ts';
import { activeFilters, type BatchFilter, type BatchSearch } from './batch-search.ts';
import { bulkActions } from './bulk-actions.ts';
import { CancelBatchDialog } from './cancel-batch-dialog.tsx';

type BatchListProps = { search: BatchSearch; onSearch: (search: BatchSearch) => void };

/** The list of batches: one page of it, live. */
export function BatchList({ search, onSearch }: BatchListProps) {
  useTopic('batches');
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, batchListKey), [client]);
  useEffect(() => rememberSearch('/batches', search), [search]);
  const { pageSize } = useListSettings('batches');
  const query = useQuery(batchListQuery(search, pageSize));
  const { data, isPlaceholderData } = query;
  const matches = useMemo(() => (batch: Batch) => matchesFilter(batch, search), [search]);
  const filter = activeFilters(search) === 0 ? undefined : { matches, count: data?.count };
  useListRefresh('batch', isPlaceholderData ? undefined : data?.data, refresh, filter);
  const { columns, question } = useCancelQuestion();
  const navigate = useNavigate();
  const onFilter = (filter: BatchFilter) => onSearch({ ...search, ...filter, page: 1 });
  return (
    <>
      <PageHeader
        title="Batch Orders"
        actions={
          <>
            <ExportButton what="batches" ask={exportFound} asked={search} />
            <RefreshButton refresh={refresh} />
          </>
        }
      />
      <BatchFilters key={JSON.stringify(search)} search={search} onFilter={onFilter} />
      <ListTools
        list="batches"
        columns={columns}
        search={search}
        onSearch={onSearch}
        findHint="Market, event, ID or source"
      />
      <ListFrame
        list="batches"
        label="Batch Orders"
        things="batches"
        query={query}
        refresh={refresh}
        columns={columns}
        search={search}
        onSearch={onSearch}
        useLatest={useLatestBatch}
        onOpen={({ id }) => navigate({ to: '/batches/$batchId', params: { batchId: id } })}
        empty={<NoBatches filtered={activeFilters(search) > 0} />}
        actions={bulkActions}
      />
      {question}
    </>
  );
}

/** The columns, whose row menus ask whether to cancel a batch, and that question. */
function useCancelQuestion() {
  const [asked, setAsked] = useState<{ about: Read<Batch>; opened: boolean }>();
  const columns = useMemo(() => batchColumns((about) => setAsked({ about, opened: true })), []);
  const question = asked && (
    <CancelQuestion opened={asked.opened} about={asked.about} onClose={() => setAsked({ ...asked, opened: false })} />
  );
  return { columns, question };
}

type CancelQuestionProps = { opened: boolean; about: Read<Batch>; onClose: () => void };

/** What is at risk may become known only while the question is open. */
function CancelQuestion({ opened, about, onClose }: CancelQuestionProps) {
  return <CancelBatchDialog opened={opened} batch={useLatestBatch(about, true)} onClose={onClose} />;
}

function exportFound(search: BatchSearch): Promise<string> {
  return call(exportBatches, { query: filterQuery(search) });
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
