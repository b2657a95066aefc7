import type { Batch } from '@dutchbook/contract/batches.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { ApiError, errorText } from '../../app/api-error.ts';
import { lastSearch } from '../../app/list-search.ts';
import type { Read } from '../../app/live/fresher.ts';
import { useListRefresh } from '../../app/live/list-refresh.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, ErrorBar, Note } from '../../ui/states.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import styles from './batch-details.module.css';
import { BatchInformation, BatchSummaryCard } from './batch-facts.tsx';
import { batchOrdersQuery, useBatch } from './batch-queries.ts';
import { BATCH_SEARCH_DEFAULTS, type BatchSearch } from './batch-search.ts';
import { BatchStatusBadge } from './batch-values.tsx';
import { UnhedgedPanel } from './unhedged-panel.tsx';

type BatchDetailsProps = {
  id: string;
  /** Draws the orders, which belong to another feature. */
  renderOrders: (orders: readonly Read<Order>[] | undefined, expected: number) => ReactNode;
};

/** One placement of an opportunity, from its first order to its last fill. */
export function BatchDetails({ id, renderOrders }: BatchDetailsProps) {
  const { batch, error, refetch, isFetching } = useBatch(id);
  return (
    <>
      <PageHeader
        title="Batch Details"
        back={<BackToBatches />}
        badges={batch && <BatchBadges of={batch} />}
        actions={batch && <ViewOpportunity id={batch.opportunity_id} />}
      />
      {error && (
        <ErrorBar
          text={`Error loading batch: ${loadingError(error)}`}
          onRetry={() => refetch()}
          retrying={isFetching}
        />
      )}
      {batch && <Sections batch={batch} renderOrders={renderOrders} />}
      {batch === undefined && error === null && <Loading />}
      {batch === undefined && error instanceof ApiError && error.status === 404 && (
        <EmptyState icon="batches" text="Batch not found">
          <BackToBatches />
        </EmptyState>
      )}
    </>
  );
}

function Sections({ batch, renderOrders }: { batch: Batch; renderOrders: BatchDetailsProps['renderOrders'] }) {
  return (
    <div className={styles.sections}>
      <Announcer
        text={`Batch ${statusWords(batch.status)}, ${batch.total_orders} of ${batch.expected_orders} orders`}
      />
      {batch.last_error !== null && <Note tone="error" title="Last error" lines={[batch.last_error]} />}
      {batch.unhedged !== null && <UnhedgedPanel unhedged={batch.unhedged} />}
      <BatchInformation of={batch} />
      <BatchSummaryCard of={batch} />
      <Panel title="Orders">
        <BatchOrders batch={batch} renderOrders={renderOrders} />
      </Panel>
    </div>
  );
}

function BatchOrders({ batch, renderOrders }: { batch: Batch; renderOrders: BatchDetailsProps['renderOrders'] }) {
  const client = useQueryClient();
  const { data, error, refetch, isFetching } = useQuery(batchOrdersQuery(batch.id));
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: batchOrdersQuery(batch.id).queryKey }),
    [client, batch.id],
  );
  useListRefresh('order', data?.data, refresh);
  if (error && data === undefined)
    return (
      <ErrorBar text={`Error loading orders: ${errorText(error)}`} onRetry={() => refetch()} retrying={isFetching} />
    );
  if (data?.count === 0) return <p className={styles.none}>No orders yet.</p>;
  return renderOrders(data?.data, batch.expected_orders);
}

function BatchBadges({ of: batch }: { of: Batch }) {
  return (
    <>
      <BatchStatusBadge of={batch} />
      {batch.simulated && <StatusBadge tone="pending">Simulated</StatusBadge>}
      {batch.automatic && <StatusBadge tone="active">Placed automatically</StatusBadge>}
    </>
  );
}

function ViewOpportunity({ id }: { id: string }) {
  return (
    <Button
      variant="default"
      leftSection={<Icon name="arbitrage" />}
      renderRoot={(props) => <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} {...props} />}
    >
      View Opportunity
    </Button>
  );
}

function BackToBatches() {
  return (
    <Link to="/batches" search={lastSearch<BatchSearch>('/batches') ?? BATCH_SEARCH_DEFAULTS}>
      <Icon name="back" size={16} />
      Batch Orders
    </Link>
  );
}

function Loading() {
  return (
    <div className={styles.sections} role="status" aria-label="Loading">
      <Skeleton height={240} />
      <Skeleton height={220} />
    </div>
  );
}

function loadingError(error: Error): string {
  return errorText(error) || 'Batch not found';
}
