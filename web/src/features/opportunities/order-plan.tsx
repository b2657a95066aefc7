import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { PlannedOrder, Simulation } from '@dutchbook/contract/placing.ts';
import { formatAnnualised, formatPercent, isBackWithinDay } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { wholeCents } from '@dutchbook/units/whole-cents.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { Note } from '../../ui/states.tsx';
import styles from './order-plan.module.css';

/** The orders that would be sent and what they add up to. `current` is false when it is of another size, or too old. */
export function OrderPlan({ simulation, current }: { simulation: Simulation; current: boolean }) {
  const { orders, errors, warnings } = simulation;
  const shown = shownOf(simulation);
  const rows = orders.map((order, nth) => ({
    ...order,
    id: `${order.leg} ${order.token_id}`,
    cost: shown.costs[nth] ?? order.cost,
    fee: shown.fees[nth] ?? order.fee,
  }));
  return (
    <div className={styles.plan} data-current={current}>
      <Figures figures={totalsOf(simulation, shown)} />
      {simulation.split !== null && (
        <p className="hint">
          The dollars are split on chain first, which takes a minute or so; what they become is sold as soon as that is
          confirmed, at the limits below. Where the bids are gone by then nothing is sold, and the whole sets can be
          converted back into their dollars. If only some of it sells, the rest may be worth nothing.
        </p>
      )}
      {errors.length > 0 && <Note tone="error" title="This order would be refused" lines={errors.map(plainWords)} />}
      {warnings.length > 0 && <Note tone="warning" title="Before you place it" lines={warnings.map(plainWords)} />}
      {rows.length > 0 && (
        <DataTable label="Planned orders" columns={simulation.split === null ? BUYS : SALES} rows={rows} />
      )}
    </div>
  );
}

type Shown = { cost: Usd; fee: Usd; profit: Usd; costs: readonly Usd[]; fees: readonly Usd[] };

/** What a set pays is its cost, its fees and its profit, also in whole cents, as are the orders of each: as the notification says it. */
function shownOf({ orders, total_cost, total_fees, expected_profit_usd, split }: Simulation): Shown {
  const exact = { cost: total_cost, fee: total_fees, profit: expected_profit_usd };
  const [cost = exact.cost, fee = exact.fee, profit = exact.profit] =
    split === null ? wholeCents([exact.cost, exact.fee, exact.profit]) : [];
  const [costs, fees] = [orders.map((order) => order.cost), orders.map((order) => order.fee)];
  return { cost, fee, profit, costs: split === null ? wholeCents(costs, cost) : costs, fees: wholeCents(fees, fee) };
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
