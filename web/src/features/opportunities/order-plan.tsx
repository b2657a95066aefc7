import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { PlannedOrder, Simulation } from '@dutchbook/contract/placing.ts';
import { formatAnnualised, formatPercent, isBackWithinDay } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { Note } from '../../ui/states.tsx';
import { type Shown, shownOf } from './order/planned-figures.ts';
import styles from './order-plan.module.css';

type OrderPlanProps = {
  simulation: Simulation;
  /** False when it is of another size, or too old. */
  current: boolean;
  /** How many sets the books offer, where that is less than its size. */
  offered: Shares | null;
  /** What is typed is no size: no figure belongs to it. */
  blank: boolean;
};

/** The orders that would be sent and what they add up to. */
export function OrderPlan({ simulation, current, offered, blank }: OrderPlanProps) {
  const { orders, errors, warnings } = simulation;
  const shown = shownOf(simulation);
  const isTooLarge = offered !== null;
  const tooLarge = isTooLarge ? [`The books have only ${formatShares(offered)} sets.`] : [];
  const figures = totalsOf(simulation, shown);
  if (blank) {
    return (
      <div className={styles.plan}>
        <Figures figures={withoutValues(figures)} />
      </div>
    );
  }
  const rows = orders.map((order, nth) => ({
    ...order,
    id: `${order.leg} ${order.token_id}`,
    cost: shown.costs[nth] ?? order.cost,
    fee: shown.fees[nth] ?? order.fee,
  }));
  return (
    <div className={styles.plan} data-current={current}>
      <Figures figures={isTooLarge ? [...figures.slice(0, 1), ...withoutValues(figures.slice(1))] : figures} />
      {simulation.split !== null && (
        <p className="hint">
          The dollars are split on chain first, which takes a minute or so; what they become is sold as soon as that is
          confirmed, at the limits below. Where the bids are gone by then nothing is sold, and the whole sets can be
          converted back into their dollars. If only some of it sells, the rest may be worth nothing.
        </p>
      )}
      {errors.length + tooLarge.length > 0 && (
        <Note tone="error" title="This order would be refused" lines={[...tooLarge, ...errors.map(plainWords)]} />
      )}
      {warnings.length > 0 && <Note tone="warning" title="Before you place it" lines={warnings.map(plainWords)} />}
      {rows.length > 0 && !isTooLarge && (
        <DataTable label="Planned orders" columns={simulation.split === null ? BUYS : SALES} rows={rows} />
      )}
    </div>
  );
}

function withoutValues(figures: ReturnType<typeof totalsOf>) {
  return figures.map(({ name }) => ({ name, value: '–' }));
}

function totalsOf(simulation: Simulation, shown: Shown) {
  const { expected_profit_percentage: profitPct, annualised_return: annualised } = simulation;
  const { profit } = shown;
  return [
    { name: 'Size', value: `${formatShares(simulation.order_size)} sh` },
    ...costsOf(simulation, shown),
    { name: 'Total Fees', value: formatUsd(shown.fee) },
    ...paidOf(simulation, shown),
    { name: 'Expected Profit', value: <Signed value={profit}>{formatUsd(profit)}</Signed> },
    { name: 'Expected Profit %', value: <Signed value={profitPct}>{formatPercent(profitPct)}</Signed> },
    {
      name: 'Return a Year',
      value: isBackWithinDay(annualised, profitPct)
        ? 'None: cash within a day'
        : formatAnnualised(annualised, profitPct),
    },
    { name: 'Worst Case Loss', value: formatUsd(simulation.worst_case_loss_usd) },
    { name: 'Max Size', value: `${formatShares(simulation.max_profitable_size)} sh` },
  ];
}

function costsOf({ split }: Simulation, { cost }: Shown) {
  if (split === null) return [{ name: 'Total Cost', value: formatUsd(cost) }];
  return [
    { name: 'Dollars In', value: formatUsd(split.dollars_in_usd) },
    { name: 'Proceeds', value: formatUsd(split.proceeds_usd) },
  ];
}

/** What the account pays in all; what a split takes is in *Dollars In* already. */
function paidOf({ split }: Simulation, { cost, fee }: Shown) {
  return split === null ? [{ name: 'Cost with Fees', value: formatUsd(addUsd(cost, fee)) }] : [];
}

const columnsWith = (cost: string): readonly Column<PlannedOrder & { id: string }>[] => [
  { key: 'leg', header: 'Leg', cell: ({ leg }) => leg },
  { key: 'market', header: 'Market', wide: true, cell: ({ market_name }) => market_name },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  { key: 'side', header: 'Side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
  { key: 'size', header: 'Shares', align: 'end', cell: ({ size }) => formatShares(size) },
  { key: 'price', header: 'Limit Price', align: 'end', cell: ({ price }) => formatPrice(price) },
  { key: 'average', header: 'Average Price', align: 'end', cell: ({ average_price }) => formatPrice(average_price) },
  { key: 'cost', header: cost, align: 'end', cell: ({ cost }) => formatUsd(cost) },
  { key: 'fee', header: 'Fee', align: 'end', cell: ({ fee }) => formatUsd(fee) },
];

const BUYS = columnsWith('Cost');
const SALES = columnsWith('Proceeds');
