import type { Batch } from '@dutchbook/contract/batches.ts';
import type { BatchMetrics } from '@dutchbook/contract/execution.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { batchMetricsQuery, batchOrdersQuery } from './batch-queries.ts';
import { delayWords } from './delay-words.ts';

/** What lies between what was planned and what came of it. */
export function BatchMetricsCard({ of: { id } }: { of: Batch }) {
  return (
    <Panel title="Metrics">
      <Loaded of={useQuery(batchMetricsQuery(id))} text="Error loading metrics" inline height={48}>
        {(metrics) => (
          <>
            <Figures figures={figuresOf(metrics)} />
            <FillTable batchId={id} perOrder={metrics.per_order} />
          </>
        )}
      </Loaded>
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

type Fills = BatchMetrics['per_order'][number];
type Row = Fills & { id: string; market: string };

type FillTableProps = { batchId: string; perOrder: readonly Fills[] };

/** What each order adds to the figures: which cost more than was planned, and which kept the others waiting. */
function FillTable({ batchId, perOrder }: FillTableProps) {
  const { data } = useQuery(batchOrdersQuery(batchId));
  const orders = new Map(data?.data.map((order) => [order.id, order]));
  const rows = perOrder
    .filter(({ filled_size }) => filled_size > 0)
    .map((fills) => ({ ...fills, id: fills.order_id, market: marketOf(orders.get(fills.order_id)) }));
  if (rows.length === 0 || data === undefined) return null;
  return (
    <Box mt={14}>
      <DataTable label="Fills" columns={COLUMNS} rows={rows} />
    </Box>
  );
}

function marketOf(order: { side: 'buy' | 'sell'; market_name: string; outcome: string } | undefined): string {
  if (order === undefined) return '–';
  const sale = order.side === 'sell' ? 'Sold: ' : '';
  return `${sale}${order.market_name} ${order.outcome}`;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'market', header: 'Market', wide: true, cell: ({ market }) => market },
  { key: 'cost', header: 'Cost', align: 'end', cell: ({ filled_usd }) => formatUsd(filled_usd) },
  { key: 'slippage', header: 'Slippage', align: 'end', cell: ({ slippage_usd }) => formatUsd(slippage_usd) },
  { key: 'first', header: 'First Fill', align: 'end', cell: ({ first_fill_ms }) => delayOf(first_fill_ms) },
  { key: 'last', header: 'Last Fill', align: 'end', cell: ({ last_fill_ms }) => delayOf(last_fill_ms) },
];

const delayOf = (ms: number | null) => (ms === null ? '–' : delayWords(ms));
