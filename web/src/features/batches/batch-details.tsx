import type { Batch } from '@dutchbook/contract/batches.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { Order, OrderStatus } from '@dutchbook/contract/orders.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { lastSearch } from '../../lists/list-search.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, Note } from '../../ui/states.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { BatchActions } from './batch-actions-bar.tsx';
import styles from './batch-details.module.css';
import { BatchInformation, BatchSummaryCard } from './batch-information.tsx';
import { BatchMetricsCard } from './batch-metrics.tsx';
import { BatchOrders, type RenderOrders } from './batch-orders.tsx';
import { batchOrdersQuery, useBatch, useCourseRefresh } from './batch-queries.ts';
import type { BatchSearch } from './batch-search.ts';
import { BatchTimeline } from './batch-timeline.tsx';
import { BatchStatusBadge, EndingBadges } from './batch-values.tsx';
import { SeriesPanel } from './series/series-panel.tsx';
import { UnhedgedPanel } from './unhedged-panel.tsx';

type BatchDetailsProps = { id: string; slots: BatchSlots };

/** What belongs to other features: the orders, the result, the books around it, and the buttons that sell. */
export type BatchSlots = {
  renderOrders: RenderOrders;
  renderUnknown: RenderOrders;
  result: (batch: Batch) => ReactNode;
  books: (batch: Batch) => ReactNode;
  sellAll: (batch: Batch) => ReactNode;
  unwind: (batch: Batch) => ReactNode;
};

/** One placement of an opportunity, from its first order to its last fill. */
export function BatchDetails({ id, slots }: BatchDetailsProps) {
  const { batch, ...read } = useBatch(id);
  return (
    <>
      <PageHeader
        title={batch?.name ?? 'Batch Details'}
        {...(batch && batch.name !== null && { kind: 'Batch Details' })}
        id={{ id, what: 'Batch ID' }}
        back={<BackToBatches />}
        badges={batch && <BatchBadges of={batch} />}
        actions={batch && <BatchActions batch={batch} sellAll={slots.sellAll(batch)} />}
      />
      <LoadError of={read} text="Error loading batch" inline />
      {batch && <Sections batch={batch} slots={slots} />}
      {batch === undefined && read.error === null && <Loading />}
      {batch === undefined && read.error instanceof ApiError && read.error.status === 404 && (
        <EmptyState icon="batches" text="Batch not found">
          <BackToBatches />
        </EmptyState>
      )}
    </>
  );
}

function Sections({ batch, slots }: { batch: Batch; slots: BatchSlots }) {
  useCourseRefresh(batch.id);
  return (
    <div className="stack">
      <Announcer text={announcementOf(batch)} />
      {batch.last_error !== null && <Note tone="error" title="Last error" lines={[plainWords(batch.last_error)]} />}
      {batch.orders_in_doubt > 0 && <BatchOrders batch={batch} renderOrders={slots.renderUnknown} />}
      <UnhedgedPanel batch={batch} unwind={slots.unwind(batch)} />
      <BatchInformation of={batch} />
      <div className={styles.beside}>
        <BatchSummaryCard of={batch} />
        <BatchMetricsCard of={batch} />
      </div>
      <Panel title="Orders" aside={<OrdersPageLink id={batch.id} />}>
        <BatchOrders batch={batch} renderOrders={slots.renderOrders} />
      </Panel>
      {slots.books(batch)}
      {batch.series_id !== null && <SeriesPanel of={batch} seriesId={batch.series_id} />}
      {slots.result(batch)}
      <BatchTimeline of={batch} />
    </div>
  );
}

function announcementOf({ status, total_orders, expected_orders, orders_in_doubt: unknownOrders }: Batch): string {
  const unknown = unknownOrders === 0 ? '' : `, ${unknownOrders} unknown`;
  return `Batch ${statusWords(status)}, ${total_orders} of ${expected_orders} orders${unknown}`;
}

function OrdersPageLink({ id }: { id: string }) {
  return (
    <Link to="/batches/$batchId/orders" params={{ batchId: id }} className={styles.pageLink}>
      Orders on Their Own Page
    </Link>
  );
}

function BatchBadges({ of: batch }: { of: Batch }) {
  return (
    <>
      <BatchStatusBadge of={batch} />
      <EndingBadges of={batch} />
      {batch.simulated && <StatusBadge tone="pending">Simulated</StatusBadge>}
      {batch.automatic && <StatusBadge tone="active">Placed automatically</StatusBadge>}
      <WaitingSales of={batch} />
    </>
  );
}

/** Sales that rest in the book: the status of the batch does not change with them. */
function WaitingSales({ of: { id } }: { of: Batch }) {
  const { data } = useQuery(batchOrdersQuery(id));
  const count = data?.data.filter(isWaiting).length ?? 0;
  return count > 0 && <StatusBadge tone="active">{count === 1 ? '1 sale waits' : `${count} sales wait`}</StatusBadge>;
}

function isWaiting({ waiting, status }: Order): boolean {
  return waiting !== null && waiting.cancel_requested_at === null && WAITS.includes(status);
}

const WAITS: readonly OrderStatus[] = ['pending', 'processing', 'open', 'partially_filled'];

function BackToBatches() {
  return (
    <BackLink to="/batches" search={lastSearch<BatchSearch>('batches')}>
      Batch Orders
    </BackLink>
  );
}

function Loading() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <Skeleton height={240} />
      <Skeleton height={220} />
    </div>
  );
}
