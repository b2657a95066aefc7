import { type Batch, exportBatches } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { batchColumns } from './batch-columns.tsx';
import { BatchFilters } from './batch-filters.tsx';
import { batchListQuery, filterQuery, matchesFilter, useLatestBatch } from './batch-queries.ts';
import { type BatchSearch, batchSearchFrom } from './batch-search.ts';
import { bulkActions } from './bulk-actions.ts';
import { CancelBatchDialog } from './cancel-batch-dialog.tsx';

type BatchListProps = { search: BatchSearch; onSearch: (search: BatchSearch) => void };

/** The list of batches: one page of it, live. */
export function BatchList({ search, onSearch }: BatchListProps) {
  useTopic('batches');
  const page = useListPage({ list: 'batches', search, searchFrom: batchSearchFrom, onSearch, queryOf: batchListQuery });
  useListRefresh('batch', page, matchesFilter);
  const { columns, question } = useCancelQuestion();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Batch Orders"
        actions={
          <>
            <ExportButton what="batches" ask={exportFound} asked={search} />
            <RefreshButton refresh={page.refresh} />
          </>
        }
      />
      <BatchFilters key={JSON.stringify(search)} search={search} onSearch={onSearch} />
      <ListFrame
        {...page}
        label="Batch Orders"
        icon="batches"
        findHint="Market, event, ID or source"
        columns={columns}
        useLatest={useLatestBatch}
        onOpen={({ id }) => navigate({ to: '/batches/$batchId', params: { batchId: id } })}
        empty={
          <EmptyState
            icon="batches"
            text="No batch orders found."
            hint="A batch appears here when an order is placed for an opportunity."
          >
            <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
          </EmptyState>
        }
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
