import type { PlannedOrder, Simulation } from '@dutchbook/contract/opportunities.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { Note } from '../../ui/states.tsx';
import styles from './order-plan.module.css';

/** The orders that would be sent and what they add up to. `current` is false when it is of another size, or too old. */
export function OrderPlan({ simulation, current }: { simulation: Simulation; current: boolean }) {
  const { orders, errors, warnings } = simulation;
  const rows = orders.map((order) => ({ ...order, id: `${order.leg} ${order.token_id}` }));
  return (
    <div className={styles.plan} data-current={current}>
      <Figures figures={totalsOf(simulation)} />
      {errors.length > 0 && <Note tone="error" title="This order would be refused" lines={errors} />}
      {warnings.length > 0 && <Note tone="warning" title="Before you place it" lines={warnings} />}
      {rows.length > 0 && <DataTable label="Planned orders" columns={COLUMNS} rows={rows} />}
    </div>
  );
}

function totalsOf(simulation: Simulation) {
  const { expected_profit_usd: profit, expected_profit_percentage: profitPct } = simulation;
  return [
    { name: 'Size', value: `${formatShares(simulation.order_size)} sh` },
    { name: 'Total Cost', value: formatUsd(simulation.total_cost) },
    { name: 'Total Fees', value: formatUsd(simulation.total_fees) },
    { name: 'Expected Profit', value: <Signed value={profit}>{formatUsd(profit)}</Signed> },
    { name: 'Expected Profit %', value: <Signed value={profitPct}>{formatPercent(profitPct)}</Signed> },
    { name: 'Worst Case Loss', value: formatUsd(simulation.worst_case_loss_usd) },
    { name: 'Max Size', value: `${formatShares(simulation.max_profitable_size)} sh` },
  ];
}

const COLUMNS: readonly Column<PlannedOrder & { id: string }>[] = [
  { key: 'leg', header: 'Leg', cell: ({ leg }) => leg },
  { key: 'market', header: 'Market', wide: true, cell: ({ market_name }) => market_name },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  { key: 'side', header: 'Side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
  { key: 'size', header: 'Shares', align: 'end', cell: ({ size }) => formatShares(size) },
  { key: 'price', header: 'Limit Price', align: 'end', cell: ({ price }) => formatPrice(price) },
  { key: 'average', header: 'Average Price', align: 'end', cell: ({ average_price }) => formatPrice(average_price) },
  { key: 'cost', header: 'Cost', align: 'end', cell: ({ cost }) => formatUsd(cost) },
  { key: 'fee', header: 'Fee', align: 'end', cell: ({ fee }) => formatUsd(fee) },
];
