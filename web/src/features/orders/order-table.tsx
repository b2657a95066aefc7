import type { Order } from '@dutchbook/contract/orders.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { Read } from '../../app/live/fresher.ts';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { useLatestOrder } from './latest-order.ts';
import { orderErrorView } from './order-error.ts';
import { orderTone } from './order-status.ts';
import styles from './order-table.module.css';

type Row = Read<Order>;

type OrderTableProps = {
  /** `undefined` while they load. */
  orders: readonly Row[] | undefined;
  skeletonRows: number;
  /** What can be done with an order, which belongs to another feature. */
  renderActions?: ((order: Order) => ReactNode) | undefined;
};

/** The orders of a batch, those that sell what others bought among them, each moving as the venue reports. */
export function OrderTable({ orders, skeletonRows, renderActions }: OrderTableProps) {
  const columns = useMemo(() => columnsWith(renderActions), [renderActions]);
  return (
    <DataTable label="Orders" columns={columns} rows={orders} skeletonRows={skeletonRows} useLatest={useLatestOrder} />
  );
}

function columnsWith(renderActions: OrderTableProps['renderActions']): readonly Column<Row>[] {
  if (renderActions === undefined) return COLUMNS;
  return [...COLUMNS, { key: 'actions', header: 'Actions', align: 'end', cell: renderActions }];
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
  { key: 'side', header: 'Side', cell: (row) => <OrderSide of={row} /> },
  { key: 'status', header: 'Status', cell: (row) => <OrderStatus of={row} /> },
  { key: 'error', header: 'Error', cell: ({ error }) => <OrderErrorCell error={error} /> },
  { key: 'size', header: 'Filled / Size', align: 'end', cell: (row) => <OrderSize of={row} /> },
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

function OrderSide({ of: { side, sells_order_id } }: { of: Order }) {
  if (side === 'buy') return 'Buy';
  return (
    <span className={styles.stack}>
      <span className={styles.sell}>Sell</span>
      {sells_order_id !== null && (
        <span className={styles.aside} title={`Sells what order ${sells_order_id} bought`}>
          of {shortId(sells_order_id)}
        </span>
      )}
    </span>
  );
}

/** An order in doubt has no status that anybody knows, so it shows none. */
function OrderStatus({ of: { status, attempts, doubt } }: { of: Order }) {
  return (
    <span className={styles.stack}>
      {doubt === null ? (
        <StatusBadge tone={orderTone(status)}>{statusWords(status)}</StatusBadge>
      ) : (
        <InDoubt of={doubt} />
      )}
      {attempts > 1 && <span className={styles.aside}>{attempts} attempts</span>}
    </span>
  );
}

function InDoubt({ of: { since, question, answer } }: { of: NonNullable<Order['doubt']> }) {
  return (
    <>
      <Explained by={`${question} ${answer ?? 'No answer yet.'}`}>
        <StatusBadge tone="warning">In doubt</StatusBadge>
      </Explained>
      <span className={styles.aside}>
        since <LocalTime at={since} seconds />
      </span>
    </>
  );
}

function OrderSize({ of: { filled_size, size, sold_size } }: { of: Order }) {
  return (
    <span className={styles.stack}>
      <LiveNumber value={filled_size} arrow="none">
        {formatShares(filled_size)} / {formatShares(size)}
      </LiveNumber>
      {sold_size > 0 && <span className={styles.aside}>{formatShares(sold_size)} sold</span>}
    </span>
  );
}

function OrderErrorCell({ error }: { error: string | null }) {
  const { text, tone, message } = orderErrorView(error);
  if (tone === undefined) return text;
  return (
    <Explained by={message}>
      <StatusBadge tone={tone}>{text}</StatusBadge>
    </Explained>
  );
}

/** Says more when it is pointed at, focused or touched. */
function Explained({ by, children }: { by: ReactNode; children: ReactNode }) {
  return (
    <Tooltip label={by} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton className={styles.explained}>{children}</UnstyledButton>
    </Tooltip>
  );
}
