import { exportBatches, type ListedBatch, listBatches } from '@dutchbook/contract/batches.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { ListFilters } from '../../lists/filter-panel.tsx';
import { type List, useList } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { activeFilters, filterQuery } from '../../lists/list-search.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { useFieldsByVenue } from '../status/system-status.ts';
import { batchColumns } from './batch-columns.tsx';
import styles from './batch-filters.module.css';
import { matchesFilter, useLatestBatch } from './batch-queries.ts';
import { BATCH_FILTER, type BatchSearch, batchSearchFrom } from './batch-search.ts';
import { isSum, ofOpportunity } from './batch-sums.tsx';
import { bulkActions } from './bulk-actions.ts';
import { CancelBatchDialog } from './cancel-batch-dialog.tsx';

const NEWEST = { sort_by: 'created_at', sort_order: 'desc' } as const;

const BATCHES: Omit<List<ListedBatch, BatchSearch>, 'columns'> = {
  name: 'batches',
  label: 'Batch Orders',
  icon: 'batches',
  searchFrom: batchSearchFrom,
  read: async (page, search, signal) => {
    const query = { ...page, ...filterQuery(search), folded: !search.each };
    const { data, count } = await call(listBatches, { query, signal });
    return { data: data.map(known), count };
  },
  folds: {
    words: { each: 'Single Batches', folded: 'One Row per Opportunity' },
    keyOf: (row) => (isSum(row) ? row.id : null),
    isSum,
    read: ({ opportunity_id: opportunityId }, search, page, signal) => {
      const query = { ...page, ...filterQuery(search), opportunity_id: opportunityId, ...NEWEST };
      return call(listBatches, { query, signal });
    },
  },
  findHint: 'Market, event, ID or source',
  useLatest: useLatestBatch,
  open: (row, navigate) =>
    isSum(row)
      ? navigate({ to: '/batches', search: { opportunityId: row.opportunity_id, each: true } })
      : navigate({ to: '/batches/$batchId', params: { batchId: row.id } }),
  empty: (
    <EmptyState
      icon="batches"
      text="No batch orders found."
      hint="A batch appears here when an order is placed for an opportunity."
    >
      <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
    </EmptyState>
  ),
  actions: bulkActions,
};

/** A row of sums is its opportunity's: its newest batch is a row of its own where it is opened. */
function known(row: ListedBatch): ListedBatch {
  return isSum(row) ? ofOpportunity(row) : row;
}

const isOfBatches = ({ type }: Change) => type === 'batch';
const isOfNone = () => false;

const FIELDS = fieldsOf(BATCH_FILTER);

/** The list of batches: one page of it, live. */
export function BatchList() {
  const { asked, ask, close } = useAsked<Read<ListedBatch>>();
  const list = useList({ ...BATCHES, columns: useMemo(() => batchColumns(ask), [ask]) });
  useTopic('batches');
  useListRefresh('batch', list, matchesFilter);
  // The stream carries batches, and not what rows of sums say of them.
  useReadSoon(list.search.each ? isOfNone : isOfBatches, list.refresh);
  const active = activeFilters(list.search);
  return (
    <>
      <PageHeader
        title="Batch Orders"
        actions={
          <>
            <ExportButton what="batches" ask={() => call(exportBatches, { query: filterQuery(list.search) })} />
            <RefreshButton refresh={list.refresh} />
          </>
        }
      />
      <ListFilters
        {...list}
        title={
          <h2 className={styles.title}>
            <Icon name="filter" size={16} /> Filters
            {active > 0 && <span className={styles.count}>{active} active</span>}
          </h2>
        }
        fields={useFieldsByVenue(FIELDS)}
      />
      <ListFrame {...list} />
      {asked && <CancelQuestion {...asked} onClose={close} />}
    </>
  );
}

type CancelQuestionProps = { opened: boolean; about: Read<ListedBatch>; onClose: () => void };

/** What is at risk may become known only while the question is open. */
function CancelQuestion({ opened, about, onClose }: CancelQuestionProps) {
  return <CancelBatchDialog opened={opened} batch={useLatestBatch(about, true)} onClose={onClose} />;
}

/** Busy only while the user waits for it: the list also reads itself again unasked. */
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
