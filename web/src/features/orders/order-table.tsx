import type { Order } from '@dutchbook/contract/orders.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { fresher, type Read } from '../../app/live/fresher.ts';
import { useLiveEntry } from '../../app/live/live.ts';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { orderErrorView } from './order-error.ts';
import { orderTone } from './order-status.ts';
import styles from './order-table.module.css';

type Row = Read<Order>;

/** The orders of a batch, one per position, each moving as the venue reports. */
export function OrderTable({ orders, skeletonRows }: { orders: readonly Row[] | undefined; skeletonRows: number }) {
  return (
    <DataTable label="Orders" columns={COLUMNS} rows={orders} skeletonRows={skeletonRows} useLatest={useLatestOrder} />
  );
}

function useLatestOrder(order: Row): Row {
  return fresher(order, useLiveEntry('order', order.id));
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'id',
    header: 'ID',
    cell: ({ id }) => (
      <Copyable text={id} what="Order ID" mono>
        {shortId(id)}
      </Copyable>
    ),
  },
  {
    key: 'market',
    header: 'Market',
    wide: true,
    cell: ({ market_name }) => <span className={styles.market}>{market_name}</span>,
  },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  { key: 'side', header: 'Side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
  { key: 'status', header: 'Status', cell: (row) => <OrderStatus of={row} /> },
  { key: 'error', header: 'Error', cell: ({ error }) => <OrderErrorCell error={error} /> },
  {
    key: 'size',
    header: 'Filled / Size',
    align: 'end',
    cell: ({ filled_size, size }) => (
      <LiveNumber value={filled_size} arrow="none">
        {formatShares(filled_size)} / {formatShares(size)}
      </LiveNumber>
    ),
  },
  { key: 'price', header: 'Price', align: 'end', cell: ({ price }) => formatPrice(price) },
  {
    key: 'average',
    header: 'Average Price',
    align: 'end',
    cell: ({ average_price: average }) => (average === null ? '–' : formatPrice(average)),
  },
  { key: 'fee', header: 'Fee', align: 'end', cell: ({ fee }) => formatUsd(fee) },
  { key: 'updated', header: 'Updated', cell: ({ updated_at }) => <LocalTime at={updated_at} /> },
];

function OrderStatus({ of: { status, attempts } }: { of: Order }) {
  const retried = attempts > 1 ? `${attempts} attempts` : undefined;
  return (
    <span title={retried}>
      <StatusBadge tone={orderTone(status)}>{statusWords(status)}</StatusBadge>
    </span>
  );
}

function OrderErrorCell({ error }: { error: string | null }) {
  const { text, tone, message } = orderErrorView(error);
  if (tone === undefined) return text;
  return (
    <Tooltip label={message} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton className={styles.error}>
        <StatusBadge tone={tone}>{text}</StatusBadge>
      </UnstyledButton>
    </Tooltip>
  );
}
