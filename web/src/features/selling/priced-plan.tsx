import type { TokenId } from '@dutchbook/units/ids.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { addUsd, formatUsd, subtractUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import type { Column } from '../../ui/data-table.tsx';
import type { Detail } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import type { SaleFigures } from './sale-figures.ts';
import { SalePlan, saleColumn, WHAT_IS_SOLD, WHAT_IT_BRINGS } from './sale-plan.tsx';
import type { SaleRow } from './sale-rows.ts';
import { SellPriceField } from './sell-price-field.tsx';
import type { TypedPrices } from './sell-prices.ts';
import styles from './selling.module.css';

export type PricedRow = SaleRow & { tokenId: TokenId };

type PricedPlanProps = {
  sale: SaleFigures;
  rows: readonly PricedRow[];
  current: boolean;
  typed: TypedPrices;
  onTyped: (typed: TypedPrices) => void;
  /** While it is being sold. */
  disabled: boolean;
  /** Left out where nothing is sold. */
  withTotals: boolean;
  /** What else can be done with the shares. */
  children?: ReactNode;
};

/** What a sale would bring, with a field per token for a price of one's own. */
export function PricedPlan({ sale, rows, current, typed, onTyped, disabled, withTotals, children }: PricedPlanProps) {
  const customPrice: Column<PricedRow> = {
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
  return (
    <SalePlan<PricedRow>
      figures={withTotals ? totalsOf(sale) : NO_TOTALS}
      sale={sale}
      columns={[...WHAT_IS_SOLD, customPrice, ...WHAT_IT_BRINGS, COST, OUTCOME]}
      rows={rows}
      current={current}
    >
      {children}
    </SalePlan>
  );
}

const costOf = ({ original_value, buy_fee }: NonNullable<SaleRow['sale']>) => addUsd(original_value, buy_fee);

const COST = saleColumn('cost', 'Cost with Fees', (sale) => formatUsd(costOf(sale)));

const OUTCOME = saleColumn('outcome-usd', 'Gain or Loss', (sale) => {
  const gain = subtractUsd(subtractUsd(sale.proceeds, sale.fee), costOf(sale));
  return <Signed value={gain}>{formatUsd(gain)}</Signed>;
});

const NO_TOTALS: readonly never[] = [];

/** The profit is the proceeds less the three figures around it: fees of the sale, value and fees of the buys. */
function totalsOf(sale: SaleFigures): Detail[] {
  const { estimated_profit: profit, estimated_profit_percentage: profitPct } = sale;
  const buyFees = sale.orders.map(({ buy_fee }) => buy_fee).reduce(addUsd, USD_ZERO);
  return [
    { name: 'Total Orders', value: sale.total_orders },
    { name: 'Sellable Orders', value: sale.sellable_orders },
    { name: 'Estimated Proceeds', value: formatUsd(sale.estimated_proceeds) },
    { name: 'Estimated Fees', value: formatUsd(sale.estimated_fees) },
    { name: 'Original Value', value: formatUsd(sale.total_original_value) },
    { name: 'Fees Paid Buying', value: formatUsd(buyFees) },
    { name: 'Estimated Profit', value: <Signed value={profit}>{formatUsd(profit)}</Signed> },
    { name: 'Estimated Profit %', value: <Signed value={profitPct}>{formatPercent(profitPct)}</Signed> },
    { name: 'Average Original Price', value: formatPrice(sale.average_original_price) },
    { name: 'Average Sell Price', value: formatPrice(sale.average_sell_price) },
  ];
}
