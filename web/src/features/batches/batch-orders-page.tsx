import type { Batch } from '@dutchbook/contract/batches.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { isMissing } from '../../calls/api-error.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { CopiedId } from '../../ui/copyable.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import styles from './batch-details.module.css';
import type { BatchSlots } from './batch-details.tsx';
import { BatchOrders } from './batch-orders.tsx';
import { useBatch, useCourseRefresh } from './batch-queries.ts';
import { BatchStatusBadge, EndingBadges } from './batch-values.tsx';

/** The orders of one batch, with no more about the batch than tells which it is. */
export function BatchOrdersPage({
  id,
  slots,
}: {
  id: string;
  slots: Pick<BatchSlots, 'renderOrders' | 'renderUnknown'>;
}) {
  const { batch, ...read } = useBatch(id);
  useCourseRefresh(id);
  return (
    <>
      <PageHeader
        title={batch?.name ?? 'Orders of Batch'}
        {...(batch && batch.name !== null && { kind: 'Orders of Batch' })}
        id={{ id, what: 'Batch ID' }}
        back={
          <BackLink to="/batches/$batchId" params={{ batchId: id }}>
            Back to Batch Details
          </BackLink>
        }
      />
      <LoadError of={read} text="Error loading batch" inline />
      {batch && (
        <div className="stack">
          <Heading of={batch} />
          {batch.orders_in_doubt > 0 && <BatchOrders batch={batch} renderOrders={slots.renderUnknown} />}
          <BatchOrders batch={batch} renderOrders={slots.renderOrders} />
        </div>
      )}
      {batch === undefined && isMissing(read.error) && (
        <EmptyState icon="batches" text="Batch not found">
          <BackLink to="/batches">Batch Orders</BackLink>
        </EmptyState>
      )}
      {batch === undefined && read.error === null && <Skeleton height={240} role="status" aria-label="Loading" />}
    </>
  );
}

function Heading({ of: batch }: { of: Batch }) {
  const details = [
    {
      name: 'ID',
      value: <CopiedId id={batch.id} what="Batch ID" whole />,
    },
    {
      name: 'Status',
      value: (
        <span className={styles.badges}>
          <BatchStatusBadge of={batch} />
          <EndingBadges of={batch} />
        </span>
      ),
    },
    { name: 'Orders', value: `${batch.total_orders}/${batch.expected_orders}` },
    { name: 'Target Profit', value: formatUsd(batch.target_profit_usd) },
  ];
  return (
    <Panel title="Batch">
      <dl className={styles.heading}>
        {details.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
