import type { Batch } from '@dutchbook/contract/batches.ts';
import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import { formatPercent, percentFromNumber } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../calls/loaded.tsx';
import { CopiedId } from '../../ui/copyable.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Beneath, Figures, Panel } from '../../ui/panel.tsx';
import { BoundLink } from '../session/setting-link.tsx';
import styles from './batch-details.module.css';
import { batchSummaryQuery } from './batch-queries.ts';
import { ActualProfit, BatchStatusBadge, ExecutionTime } from './batch-values.tsx';
import { isLastAllowed, LAST_ALLOWED } from './series/series-words.ts';

export function BatchInformation({ of: batch }: { of: Batch }) {
  return (
    <Panel title="Batch Information">
      <dl className={styles.facts}>
        {[...identityOf(batch), ...courseOf(batch)].map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Its money first, then what it is called. */
function identityOf(batch: Batch) {
  const { id, opportunity_id, total_orders, expected_orders } = batch;
  return [
    { name: 'Status', value: <BatchStatusBadge of={batch} /> },
    { name: 'Orders', value: `${total_orders}/${expected_orders}` },
    {
      name: 'Order Size',
      value: (
        <>
          {sizeWords(batch.order_size, batch.size_bounded_by)} <BoundLink bound={batch.size_bounded_by} />
        </>
      ),
    },
    { name: 'Target Price', value: formatPrice(batch.target_price) },
    { name: 'Target Profit', value: formatUsd(batch.target_profit_usd) },
    {
      name: 'Actual Profit',
      value: (
        <>
          <ActualProfit of={batch} />
          {batch.unhedged !== null && (
            <Beneath>{`counts the ${formatUsd(batch.unhedged.worst_loss_usd)} at risk as lost`}</Beneath>
          )}
        </>
      ),
    },
    ...clipOf(batch),
    {
      name: 'ID',
      value: <CopiedId id={id} what="Batch ID" whole />,
    },
    {
      name: 'Opportunity ID',
      value: (
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: opportunity_id }} className="mono">
          {opportunity_id}
        </Link>
      ),
    },
  ];
}

/** The first clip of a series is named on the later ones. */
function clipOf(batch: Batch) {
  const { id, series_id: first, clip_number: number } = batch;
  if (first === null) return [];
  const value =
    first === id ? (
      'The first of its series'
    ) : (
      <>
        {number !== null && `${number}, after `}
        <Link to="/batches/$batchId" params={{ batchId: first }} title={first}>
          the first of its series
        </Link>
      </>
    );
  const last = isLastAllowed(batch) ? [{ name: 'Last Clip', value: `Clip ${number}, ${LAST_ALLOWED}` }] : [];
  return [{ name: 'Clip', value }, ...last];
}

/** The dollars of what waits for the pace of the venue are free for other orders. */
function freeDollarsOf({ dollars_free_since: since }: Batch) {
  if (since === null) return [];
  const value = (
    <>
      Free for other orders since <Moment at={since} />: it waits for the pace of the venue, and every gate is asked
      again before it leaves
    </>
  );
  return [{ name: 'Its Dollars', value }];
}

function courseOf(batch: Batch) {
  const { execution_started_at: started, execution_completed_at: completed } = batch;
  return [
    { name: 'Created', value: <Moment at={batch.created_at} /> },
    { name: 'Started', value: started === null ? 'Not started' : <Moment at={started} /> },
    ...freeDollarsOf(batch),
    { name: 'Completed', value: completed === null ? 'Not completed' : <Moment at={completed} /> },
    { name: 'Updated', value: <Moment at={batch.updated_at} /> },
    { name: 'Retries', value: `${batch.retry_count}/${batch.max_retries}` },
    { name: 'Active', value: batch.is_active ? 'Yes' : 'No' },
    { name: 'Final', value: batch.is_final ? 'Yes' : 'No' },
  ];
}

export function BatchSummaryCard({ of: batch }: { of: Batch }) {
  return (
    <Panel title="Summary">
      <Loaded of={useQuery(batchSummaryQuery(batch.id))} text="Error loading summary" inline height={48}>
        {({ success_rate: rate, average_order_value: value }) => (
          <Figures
            figures={[
              { name: 'Success Rate', value: formatPercent(percentFromNumber(fractionToNumber(rate) * 100)) },
              { name: 'Average Order Value', value: value === null ? '–' : formatUsd(value) },
              { name: 'Execution Time', value: <ExecutionTime of={batch} /> },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
