import type { Batch } from '@dutchbook/contract/batches.ts';
import type { BatchMetrics } from '@dutchbook/contract/execution.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../calls/api-error.ts';
import { Figures, Panel } from '../../ui/panel.tsx';
import { ErrorBar } from '../../ui/states.tsx';
import { batchMetricsQuery } from './batch-queries.ts';
import { delayWords } from './delay-words.ts';
import { FillTable } from './fill-table.tsx';

/** What lies between what was planned and what came of it. */
export function BatchMetricsCard({ of: { id } }: { of: Batch }) {
  const { data, error, refetch, isFetching } = useQuery(batchMetricsQuery(id));
  return (
    <Panel title="Metrics">
      {error && (
        <ErrorBar text={`Error loading metrics: ${errorText(error)}`} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {data === undefined ? (
        error === null && <Skeleton height={48} />
      ) : (
        <>
          <Figures figures={figuresOf(data)} />
          <FillTable batchId={id} perOrder={data.per_order} />
        </>
      )}
    </Panel>
  );
}

function figuresOf(metrics: BatchMetrics) {
  const { first_fill_ms, last_fill_ms } = metrics;
  return [
    { name: 'Filled', value: formatUsd(metrics.filled_usd) },
    { name: 'Slippage', value: formatUsd(metrics.slippage_usd) },
    { name: 'Fees', value: formatUsd(metrics.fees_usd) },
    { name: 'First Fill', value: first_fill_ms === null ? '–' : delayWords(first_fill_ms) },
    { name: 'Last Fill', value: last_fill_ms === null ? '–' : delayWords(last_fill_ms) },
  ];
}
