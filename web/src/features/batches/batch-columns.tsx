import type { Batch } from '@dutchbook/contract/batches.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Read } from '../../app/live/fresher.ts';
import { copyText } from '../../ui/copy.ts';
import { shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import styles from './batch-columns.module.css';
import { batchInfoText } from './batch-info-text.ts';
import { ActualProfit, BatchStatusBadge, ExecutionTime } from './batch-values.tsx';

export const BATCH_COLUMNS: readonly Column<Read<Batch>>[] = [
  {
    key: 'id',
    header: 'ID',
    sortBy: 'id',
    cell: ({ id }) => (
      <Link to="/batches/$batchId" params={{ batchId: id }} title={id} className={styles.id}>
        {shortId(id)}
      </Link>
    ),
  },
  { key: 'created', header: 'Created', sortBy: 'created_at', cell: (row) => <LocalTime at={row.created_at} /> },
  {
    key: 'opportunity',
    header: 'Opportunity ID',
    sortBy: 'opportunity_id',
    cell: ({ opportunity_id: id }) => (
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} title={id} className={styles.id}>
        {shortId(id)}
      </Link>
    ),
  },
  { key: 'status', header: 'Status', sortBy: 'status', cell: (row) => <BatchStatusBadge of={row} /> },
  {
    key: 'orders',
    header: 'Orders',
    sortBy: 'total_orders',
    align: 'end',
    cell: (row) => `${row.total_orders}/${row.expected_orders}`,
  },
  {
    key: 'target',
    header: 'Target Profit',
    sortBy: 'target_profit_usd',
    align: 'end',
    cell: (row) => formatUsd(row.target_profit_usd),
  },
  {
    key: 'actual',
    header: 'Actual Profit',
    sortBy: 'actual_profit_usd',
    align: 'end',
    cell: (row) => <ActualProfit of={row} />,
  },
  {
    key: 'retries',
    header: 'Retries',
    sortBy: 'retry_count',
    align: 'end',
    cell: (row) => `${row.retry_count}/${row.max_retries}`,
  },
  { key: 'time', header: 'Execution Time', align: 'end', cell: (row) => <ExecutionTime of={row} /> },
  { key: 'actions', header: 'Actions', align: 'end', cell: (row) => <BatchRowMenu batch={row} /> },
];

function BatchRowMenu({ batch }: { batch: Batch }) {
  return (
    <RowMenu of={shortId(batch.id)}>
      <Menu.Item
        leftSection={<Icon name="eye" size={16} />}
        renderRoot={(props) => <Link to="/batches/$batchId" params={{ batchId: batch.id }} {...props} />}
      >
        View Details
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="copy" size={16} />}
        onClick={() => copyText(batchInfoText(batch), 'Batch info')}
      >
        Copy Batch Info
      </Menu.Item>
    </RowMenu>
  );
}
