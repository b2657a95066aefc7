import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { HeldSaleExecution, PlannedSale } from '@dutchbook/contract/selling.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares, subtractShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ButtonRow } from '../../ui/button-row.tsx';
import { shortId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Detail, Figures } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { Note } from '../../ui/states.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { PURPOSE_WORDS } from '../chain-steps/chain-words.ts';
import { orderTone } from '../orders/order-status.ts';
import { soldGain } from './sale-loss.ts';
import styles from './selling.module.css';
import { type ExitExecution, hasFailed } from './ways/exit-result.ts';

type Row = HeldSaleExecution['orders'][number] & { id: string };

type SaleResultProps = {
  execution: ExitExecution;
  /** What was shown before it was executed. */
  planned: readonly PlannedSale[];
  onDone: () => void;
};

const SALES = { to: '/orders', search: { side: 'sell' } } as const;

/** What came of a sale, in all and order by order. */
export function SaleResult({ execution, planned, onDone }: SaleResultProps) {
  const { orders, failed_sells, successful_sells, total_orders, summary, cashNow } = execution;
  const ended = successful_sells + failed_sells === total_orders;
  const tone = hasFailed(execution) ? (isPartial(execution) ? 'warning' : 'error') : ended ? 'success' : 'inactive';
  const left = leftOf(orders, planned);
  return (
    <div className={styles.sale}>
      <div role="status">
        <Note tone={tone} title={summary} />
      </div>
      {!ended && (
        <p className="hint">
          What has not ended goes on by itself: <Link {...SALES}>Sales</Link>
        </p>
      )}
      {left.length > 0 && (
        <Note tone="warning" title="Not sold, because their bids had gone: these shares are still held" lines={left} />
      )}
      {cashNow !== undefined && 'submissions' in cashNow && <Submissions of={cashNow.submissions} />}
      {orders.length > 0 && <Figures figures={[...totalsOf(execution), ...gainOf(orders, planned)]} />}
      {orders.length > 0 && (
        <DataTable
          label="Sell orders"
          columns={COLUMNS}
          rows={orders.map((order) => ({ ...order, id: order.order_id }))}
        />
      )}
      <ButtonRow>
        <Button onClick={onDone} ref={takeFocus}>
          Done
        </Button>
      </ButtonRow>
    </div>
  );
}

/** What is left of each order of which the bids took less than was shown. */
function leftOf(orders: HeldSaleExecution['orders'], planned: readonly PlannedSale[]): string[] {
  const short = orders
    .filter(({ sell_size, sold_size, error }) => error !== null && sold_size < sell_size)
    .map(({ sell_size, sold_size, ...named }) => ({ ...named, shares: subtractShares(sell_size, sold_size) }));
  const missing = planned
    .filter(({ order_id }) => orders.every((order) => order.order_id !== order_id))
    .map(({ sell_size, ...named }) => ({ ...named, shares: sell_size }));
  return [...short, ...missing].map(
    ({ shares, outcome, market_name }) => `${formatShares(shares)} sh of ${outcome} of ${market_name}`,
  );
}

/** Something that was asked for did happen. */
function isPartial({ successful_sells, cashNow }: ExitExecution): boolean {
  return successful_sells > 0 || (cashNow !== undefined && 'submissions' in cashNow);
}

function Submissions({ of: submissions }: { of: readonly ChainSubmission[] }) {
  return (
    <p className="row">
      {submissions.map(({ id, purpose }) => (
        <Link key={id} to="/submissions/$submissionId" params={{ submissionId: id }}>
          {PURPOSE_WORDS[purpose]} {shortId(id)}
        </Link>
      ))}
    </p>
  );
}

/** The button that was pressed is gone, and the focus with it. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}

function totalsOf({ total_orders, successful_sells, failed_sells, total_proceeds, total_fees }: HeldSaleExecution) {
  return [
    { name: 'Total Orders', value: total_orders },
    { name: 'Successful Sells', value: successful_sells },
    { name: 'Failed Sells', value: failed_sells },
    { name: 'Total Proceeds', value: formatUsd(total_proceeds) },
    { name: 'Total Fees', value: formatUsd(total_fees) },
  ];
}

/** What was sold brought after its fees, less what these shares cost with theirs; nothing where a cost is not known. */
function gainOf(orders: HeldSaleExecution['orders'], planned: readonly PlannedSale[]): Detail[] {
  const gain = soldGain(orders, planned);
  return gain === undefined ? [] : [{ name: 'Gain or Loss', value: <Signed value={gain}>{formatUsd(gain)}</Signed> }];
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'market', header: 'Market', wide: true, cell: ({ market_name }) => market_name },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <StatusBadge tone={orderTone(status)}>{statusWords(status)}</StatusBadge>,
  },
  {
    key: 'sold',
    header: 'Sold / Size',
    align: 'end',
    cell: ({ sold_size, sell_size }) => `${formatShares(sold_size)} / ${formatShares(sell_size)}`,
  },
  {
    key: 'average',
    header: 'Average Price',
    align: 'end',
    cell: ({ average_price: average }) => (average === null ? '–' : formatPrice(average)),
  },
  { key: 'proceeds', header: 'Proceeds', align: 'end', cell: ({ proceeds }) => formatUsd(proceeds) },
  { key: 'fee', header: 'Fee', align: 'end', cell: ({ fee }) => formatUsd(fee) },
  { key: 'error', header: 'Error', wide: true, cell: ({ error }) => error ?? 'No' },
];
