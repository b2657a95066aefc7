import { type Batch, exportBatches } from '@dutchbook/contract/batches.ts';
import { BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { choicesOf, type FilterField, flagChoices, refusePartOfId } from '../../lists/filter-fields.tsx';
import { FilterPanel } from '../../lists/filter-panel.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { activeFilters, unfiltered } from '../../lists/list-search.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { batchColumns } from './batch-columns.tsx';
import styles from './batch-filters.module.css';
import { batchListQuery, filterQuery, matchesFilter, useLatestBatch } from './batch-queries.ts';
import { type BatchFilter, type BatchSearch, batchSearchFrom } from './batch-search.ts';
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
  const { asked, ask, close } = useAsked<Read<Batch>>();
  const columns = useMemo(() => batchColumns(ask), [ask]);
  return { columns, question: asked && <CancelQuestion {...asked} onClose={close} /> };
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

const FIELDS: readonly FilterField<Exclude<keyof BatchFilter, 'q'>>[] = [
  { name: 'status', label: 'Status', choices: choicesOf('All statuses', BATCH_STATUSES) },
  {
    name: 'isActive',
    label: 'Active Status',
    choices: flagChoices('Active and not', 'Active only', 'Not active only'),
  },
  { name: 'canRetry', label: 'Retry Status', choices: flagChoices('Any', 'Can be retried', 'Cannot be retried') },
  { name: 'unhedged', label: 'Exposure', choices: flagChoices('Any', 'Unhedged only', 'Whole sets only') },
  { name: 'opportunityId', label: 'Opportunity ID', flex: '2 1 160px', refusal: refusePartOfId },
];

type BatchFiltersProps = { search: BatchSearch; onSearch: (search: BatchSearch) => void };

function BatchFilters({ search, onSearch }: BatchFiltersProps) {
  const count = activeFilters(search);
  return (
    <FilterPanel
      title={
        <h2 className={styles.title}>
          <Icon name="filter" size={16} /> Filters
          {count > 0 && <span className={styles.count}>{count} active</span>}
        </h2>
      }
      fields={FIELDS}
      filter={search}
      onApply={(texts) => onSearch(batchSearchFrom({ ...search, ...texts, page: 1 }))}
      onClear={() => onSearch(unfiltered(search, batchSearchFrom))}
      canReset
    />
  );
}
