import type { TokenId } from '@dutchbook/units/ids.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '../../ui/data-table.tsx';
import { Signed } from '../../ui/signed.tsx';
import { batchOrdersQuery } from '../batches/batch-queries.ts';
import type { SaleFigures } from './sale-figures.ts';
import { SalePlan, WHAT_IS_SOLD, WHAT_IT_BRINGS } from './sale-plan.tsx';
import { type SaleRow, sellAllRows } from './sale-rows.ts';
import { SellPriceField } from './sell-price-field.tsx';
import type { TypedPrices } from './sell-prices.ts';
import styles from './selling.module.css';

type Row = SaleRow & { tokenId: TokenId };

type SellAllPlanProps = {
  batchId: string;
  sale: SaleFigures;
  current: boolean;
  typed: TypedPrices;
  onTyped: (typed: TypedPrices) => void;
  /** While it is being sold. */
  disabled: boolean;
  /** Left out where nothing is sold. */
  withTotals: boolean;
  /** Whether an order is sold at all. */
  isSold: (orderId: string) => boolean;
  /** What else can be done with its shares. */
  children: ReactNode;
};

/** What selling everything would bring, with a field per token for a price of one's own. */
export function SellAllPlan({
  batchId,
  sale,
  current,
  typed,
  onTyped,
  disabled,
  withTotals,
  isSold,
  children,
}: SellAllPlanProps) {
  const { data: orders } = useQuery(batchOrdersQuery(batchId));
  const customPrice: Column<Row> = {
    key: 'custom',
    header: 'Custom Price',
    wide: true,
    cell: ({ tokenId, market, outcome }) => (
      <SellPriceField
        aria-label={`Custom Price of ${market}, ${outcome}`}
        placeholder="At the bids"
        className={styles.customPrice}
        typed={typed[tokenId] ?? ''}
        disabled={disabled}
        onTyped={(text) => onTyped({ ...typed, [tokenId]: text })}
      />
    ),
  };
  const rows = sellAllRows(orders?.data, sale.orders).filter(({ id }) => isSold(id));
  return (
    <SalePlan<Row>
      figures={withTotals ? totalsOf(sale) : NO_TOTALS}
      sale={sale}
      columns={[...WHAT_IS_SOLD, customPrice, ...WHAT_IT_BRINGS]}
      rows={rows}
      current={current}
    >
      {children}
    </SalePlan>
  );
}

const NO_TOTALS: readonly never[] = [];

function totalsOf(sale: SaleFigures) {
  const { estimated_profit: profit, estimated_profit_percentage: profitPct } = sale;
  return [
    { name: 'Total Orders', value: sale.total_orders },
    { name: 'Sellable Orders', value: sale.sellable_orders },
    { name: 'Original Value', value: formatUsd(sale.total_original_value) },
    { name: 'Estimated Proceeds', value: formatUsd(sale.estimated_proceeds) },
    { name: 'Estimated Fees', value: formatUsd(sale.estimated_fees) },
    { name: 'Estimated Profit', value: <Signed value={profit}>{formatUsd(profit)}</Signed> },
    { name: 'Estimated Profit %', value: <Signed value={profitPct}>{formatPercent(profitPct)}</Signed> },
    { name: 'Average Original Price', value: formatPrice(sale.average_original_price) },
    { name: 'Average Sell Price', value: formatPrice(sale.average_sell_price) },
  ];
}
