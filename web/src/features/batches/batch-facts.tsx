import type { Batch } from '@dutchbook/contract/batches.ts';
import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import { formatPercent, percentFromNumber } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorText } from '../../calls/api-error.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Facts, Figures, Panel } from '../../ui/panel.tsx';
import { ErrorBar } from '../../ui/states.tsx';
import styles from './batch-details.module.css';
import { batchSummaryQuery } from './batch-queries.ts';
import { ActualProfit, BatchStatusBadge, ExecutionTime } from './batch-values.tsx';

export function BatchInformation({ of: batch }: { of: Batch }) {
  return (
    <Panel title="Batch Information">
      <div className={styles.columns}>
        <Facts facts={identityOf(batch)} />
        <Facts facts={courseOf(batch)} />
      </div>
    </Panel>
  );
}

function identityOf(batch: Batch) {
  const { id, opportunity_id, total_orders, expected_orders } = batch;
  return [
    {
      name: 'ID',
      value: (
        <Copyable text={id} what="Batch ID" mono>
          {id}
        </Copyable>
      ),
    },
    {
      name: 'Opportunity ID',
      value: (
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: opportunity_id }} className={styles.id}>
          {opportunity_id}
        </Link>
      ),
    },
    { name: 'Status', value: <BatchStatusBadge of={batch} /> },
    { name: 'Orders', value: `${total_orders}/${expected_orders}` },
    { name: 'Order Size', value: `${formatShares(batch.order_size)} sh` },
    { name: 'Target Price', value: formatPrice(batch.target_price) },
    { name: 'Target Profit', value: formatUsd(batch.target_profit_usd) },
    { name: 'Actual Profit', value: <ActualProfit of={batch} /> },
  ];
}

function courseOf(batch: Batch) {
  const { execution_started_at: started, execution_completed_at: completed } = batch;
  return [
    { name: 'Created', value: <Moment at={batch.created_at} /> },
    { name: 'Started', value: started === null ? 'Not started' : <Moment at={started} /> },
    { name: 'Completed', value: completed === null ? 'Not completed' : <Moment at={completed} /> },
    { name: 'Updated', value: <Moment at={batch.updated_at} /> },
    { name: 'Retries', value: `${batch.retry_count}/${batch.max_retries}` },
    { name: 'Active', value: batch.is_active ? 'Yes' : 'No' },
    { name: 'Final', value: batch.is_final ? 'Yes' : 'No' },
  ];
}

export function BatchSummaryCard({ of: batch }: { of: Batch }) {
  const { data, error, refetch, isFetching } = useQuery(batchSummaryQuery(batch.id));
  return (
    <Panel title="Summary">
      {error && (
        <ErrorBar text={`Error loading summary: ${errorText(error)}`} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {data === undefined ? (
        error === null && <Skeleton height={48} />
      ) : (
        <Figures
          figures={[
            {
              name: 'Success Rate',
              value: formatPercent(percentFromNumber(fractionToNumber(data.success_rate) * 100)),
            },
            {
              name: 'Average Order Value',
              value: data.average_order_value === null ? '–' : formatUsd(data.average_order_value),
            },
            { name: 'Execution Time', value: <ExecutionTime of={batch} /> },
          ]}
        />
      )}
    </Panel>
  );
}
