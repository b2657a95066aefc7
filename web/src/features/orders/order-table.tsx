import { boundWords } from '@dutchbook/contract/notes/size-words.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { type ReactNode, useMemo } from 'react';
import type { Read } from '../../live/fresher.ts';
import { CopiedId, shortId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Explained } from '../../ui/explained.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { LocalTime, Moment } from '../../ui/local-time.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { BatchName } from '../batches/batch-name.tsx';
import type { OrderFills } from '../batches/batch-orders.tsx';
import { fillWords } from '../batches/delay-words.ts';
import { ChainSide } from '../chain-steps/chain-side.tsx';
import { VenueTags, VenueTicker } from '../status/venue-tags.tsx';
import { useLatestOrder } from './latest-order.ts';
import { orderErrorView } from './order-error.ts';
import type { OrderSearch } from './order-search.ts';
import { orderTone } from './order-status.ts';
import styles from './order-table.module.css';
import { WaitingSale } from './waiting-sale.tsx';

type Row = Read<Order>;

type OrderTableProps = {
  /** `undefined` while they load. */
  orders: readonly Row[] | undefined;
  /** What each order adds to the metrics of the batch. */
  fills: readonly OrderFills[];
  skeletonRows: number;
  /** What can be done with an order, which belongs to another feature. */
  renderActions: (order: Order) => ReactNode;
};

/** Height of a row with market, venue and ticker on lines of their own. */
const ROW_HEIGHT = 67;

/** The orders of a batch, those that sell what others bought among them, each moving as the venue reports. */
export function OrderTable({ orders, fills, skeletonRows, renderActions }: OrderTableProps) {
  const columns = useMemo(
    () => [
      ID,
      ...ORDER,
      ...fillColumns(fills),
      { key: 'actions', header: 'Actions', align: 'end', cell: renderActions } as const,
    ],
    [fills, renderActions],
  );
  return (
    <DataTable
      label="Orders"
      columns={columns}
      rows={orders}
      skeletonRows={skeletonRows}
      skeletonHeight={ROW_HEIGHT}
      useLatest={useLatestOrder}
    />
  );
}

const ID: Column<Row, never> = {
  key: 'id',
  header: 'ID',
  folds: true,
  cell: ({ id }) => <CopiedId id={id} what="Order ID" />,
};

const ORDER: readonly Column<Row, OrderSearch['sortBy']>[] = [
  {
    key: 'market',
    header: 'Market',
    wide: true,
    cell: (row) => <OrderMarket of={row} />,
  },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  {
    key: 'side',
    header: 'Side',
    cell: (row) => <OrderSide of={row} />,
  },
  { key: 'status', header: 'Status', sortBy: 'status', cell: (row) => <OrderStatus of={row} /> },
  { key: 'error', header: 'Error', folds: true, cell: ({ error }) => <OrderErrorCell error={error} /> },
  { key: 'size', header: 'Filled / Size', align: 'end', cell: (row) => <OrderSize of={row} /> },
  { key: 'price', header: 'Price', align: 'end', cell: (row) => <OrderPrice of={row} /> },
  { key: 'fee', header: 'Fee', align: 'end', spare: true, cell: ({ fee }) => formatUsd(fee) },
];

/** What an order cost beside what was planned, and how long after the decision it was filled. */
function fillColumns(fills: readonly OrderFills[]): readonly Column<Row, never>[] {
  const byOrder = new Map(fills.map((each) => [each.order_id, each]));
  const filled = ({ id }: Row) => {
    const own = byOrder.get(id);
    return own !== undefined && own.filled_size > 0 ? own : undefined;
  };
  return [
    { key: 'cost', header: 'Cost', align: 'end', spare: true, cell: (row) => <FillCost of={filled(row)} /> },
    { key: 'fills', header: 'Last Fill', align: 'end', spare: true, cell: (row) => <FillTimes of={filled(row)} /> },
  ];
}

function FillCost({ of: fills }: { of: OrderFills | undefined }) {
  if (fills === undefined) return '–';
  return (
    <span className="stacked">
      {formatUsd(fills.filled_usd)}
      <span className={styles.aside}>slippage {formatUsd(fills.slippage_usd)}</span>
    </span>
  );
}

function FillTimes({ of: fills }: { of: OrderFills | undefined }) {
  if (fills === undefined || fills.last_fill_ms === null) return '–';
  const { first_fill_ms: first, last_fill_ms: last } = fills;
  return (
    <span className="stacked">
      {fillWords(last)}
      {first !== null && first !== last && <span className={styles.aside}>first {fillWords(first)}</span>}
    </span>
  );
}

/** The columns where the orders of all batches stand together. */
export const ORDER_LIST_COLUMNS: readonly Column<Row, OrderSearch['sortBy']>[] = [
  ID,
  {
    key: 'created',
    header: 'Created',
    sortBy: 'created_at',
    folds: true,
    cell: (row) => <Moment at={row.created_at} />,
  },
  {
    key: 'batch',
    header: 'Batch',
    wide: true,
    fills: true,
    cell: ({ batch_id, batch_name, side, size_bounded_by: bound }) => (
      <BatchName id={batch_id} name={batch_name} last={side === 'buy' ? boundWords(bound) : undefined} />
    ),
  },
  ...ORDER,
];

function OrderSide({ of: order }: { of: Order }) {
  const { side, chain_step_id } = order;
  if (chain_step_id !== null) return <ChainSide of={order} />;
  return side === 'buy' ? 'Buy' : <strong className={styles.sell}>Sell</strong>;
}

function OrderMarket({ of: { market_id, market_name, sells_order_id, chain_step_id } }: { of: Order }) {
  const verb = chain_step_id === null ? 'Sells' : 'Converts';
  return (
    <span className={styles.market}>
      {market_name} <VenueTags ids={[market_id]} />
      <VenueTicker id={market_id} />
      {sells_order_id !== null && (
        <span className={styles.aside} title={`${verb} what order ${sells_order_id} bought`}>
          {verb} {shortId(sells_order_id)}
        </span>
      )}
    </span>
  );
}

/** The status that was stored last says nothing of an order whose outcome is unknown. */
function OrderStatus({ of: order }: { of: Order }) {
  const { status, attempts, doubt, updated_at } = order;
  return (
    <span className="stacked">
      {doubt === null ? (
        <StatusBadge tone={orderTone(status)}>{statusWords(status)}</StatusBadge>
      ) : (
        <Explained by={`${doubt.question} ${doubt.answer ?? 'No answer yet.'}`}>
          <StatusBadge tone="warning">Unknown</StatusBadge>
        </Explained>
      )}
      <span className={`${styles.aside} ${styles.spare}`}>
        {doubt === null ? 'updated' : 'since'} <LocalTime at={doubt?.since ?? updated_at} />
      </span>
      {attempts > 1 && <span className={styles.aside}>{attempts} attempts</span>}
      <WaitingSale of={order} />
    </span>
  );
}

function OrderSize({ of: { filled_size, size, sold_size } }: { of: Order }) {
  return (
    <span className="stacked">
      <LiveNumber value={filled_size} arrow="none">
        {formatShares(filled_size)} / {formatShares(size)}
      </LiveNumber>
      {sold_size > 0 && <span className={styles.aside}>{formatShares(sold_size)} sold</span>}
    </span>
  );
}

function OrderPrice({ of: { price, average_price: average } }: { of: Order }) {
  return (
    <span className="stacked">
      {formatPrice(price)}
      {average !== null && <span className={`${styles.aside} ${styles.spare}`}>average {formatPrice(average)}</span>}
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
