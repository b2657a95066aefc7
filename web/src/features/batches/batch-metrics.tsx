import type { Batch } from '@dutchbook/contract/batches.ts';
import type { BatchMetrics } from '@dutchbook/contract/execution.ts';
import { formatUsd, subtractUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../calls/loaded.tsx';
import { Beneath, Figures, Panel } from '../../ui/panel.tsx';
import { batchMetricsQuery } from './batch-queries.ts';
import { fillWords } from './delay-words.ts';

/** What lies between what was planned and what came of it. */
export function BatchMetricsCard({ of: { id } }: { of: Batch }) {
  return (
    <Panel title="Metrics">
      <Loaded of={useQuery(batchMetricsQuery(id))} text="Error loading metrics" inline height={71}>
        {(metrics) => <Figures figures={figuresOf(metrics)} />}
      </Loaded>
    </Panel>
  );
}

function figuresOf(metrics: BatchMetrics) {
  const { first_fill_ms, last_fill_ms } = metrics;
  const selling = metrics.per_order.reduce((rest, { fees_usd }) => subtractUsd(rest, fees_usd), metrics.fees_usd);
  return [
    {
      name: 'Filled',
      value: (
        <>
          {formatUsd(metrics.filled_usd)}
          <Beneath>before fees</Beneath>
        </>
      ),
    },
    { name: 'Slippage', value: formatUsd(metrics.slippage_usd) },
    {
      name: 'Fees',
      value: (
        <>
          {formatUsd(metrics.fees_usd)}
          {selling > 0 && <Beneath>{formatUsd(selling)} of it selling</Beneath>}
        </>
      ),
    },
    { name: 'First Fill', value: fillOf(first_fill_ms) },
    { name: 'Last Fill', value: fillOf(last_fill_ms) },
  ];
}

function fillOf(ms: number | null) {
  if (ms === null) return '–';
  return (
    <>
      {fillWords(ms)}
      <Beneath>after the decision</Beneath>
    </>
  );
}
