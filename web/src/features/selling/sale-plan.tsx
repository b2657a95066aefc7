import type { SellSimulation } from '@dutchbook/contract/selling.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { addShares, formatShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Detail, Figures } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { useByNow } from '../../ui/use-now.ts';
import type { SaleFigures } from './sale-figures.ts';
import type { SaleRow } from './sale-rows.ts';
import styles from './selling.module.css';

type SalePlanProps<Row> = {
  figures: readonly Detail[];
  sale: SaleFigures;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** False while something else is typed than what was simulated, or the next simulation is on its way. */
  current: boolean;
  /** What stands between its totals and its sales. */
  children?: ReactNode;
};

/** The sales that would be made, what they add up to, and what stands in their way. */
export function SalePlan<Row extends SaleRow>(props: SalePlanProps<Row>) {
  const { figures, sale, columns, rows, current, children } = props;
  return (
    <div className={styles.plan} data-current={current}>
      {figures.length > 0 && (
        <div className={styles.fading}>
          <Figures figures={figures} />
        </div>
      )}
      {sale.settling.length > 0 && <Settling settling={sale.settling} />}
      {sale.errors.length > 0 && <Note tone="error" title="This cannot be sold now" lines={sale.errors} />}
      {sale.warnings.length > 0 && <Note tone="warning" title="Before you sell" lines={sale.warnings} />}
      {children}
      {rows.length > 0 && (
        <DataTable
          label="Planned sales"
          columns={columns}
          rows={rows}
          busy={current ? undefined : 'Simulating again…'}
        />
      )}
    </div>
  );
}

/** Counts down to when it should be done. */
function Settling({ settling }: Pick<SaleFigures, 'settling'>) {
  const [sinceMs] = useState(Date.now);
  const waitedS = useByNow((nowMs) => Math.max(0, Math.floor((nowMs - sinceMs) / 1000)));
  return <Note tone="inactive" title={settlingInWords(settling, waitedS)} />;
}

type SaleCell = (sale: NonNullable<SaleRow['sale']>) => ReactNode;

/** A column that stays empty where nothing can be sold now. */
export function saleColumn(key: string, header: string, cell: SaleCell): Column<SaleRow> {
  return { key, header, align: 'end', cell: ({ sale }) => (sale === undefined ? '–' : cell(sale)) };
}

export const WHAT_IS_SOLD: readonly Column<SaleRow>[] = [
  { key: 'market', header: 'Market', wide: true, cell: ({ market }) => market },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  {
    key: 'size',
    header: 'Shares',
    align: 'end',
    cell: ({ sale, shares }) => (
      <>
        {formatShares(sale?.sell_size ?? SHARES_ZERO)}
        {sale?.sell_size !== shares && <span className={styles.held}> of {formatShares(shares)}</span>}
      </>
    ),
  },
];

export const WHAT_IT_BRINGS: readonly Column<SaleRow>[] = [
  saleColumn('price', 'Sell Price', ({ sell_price }) => formatPrice(sell_price)),
  saleColumn('average', 'Average Price', ({ average_price }) => formatPrice(average_price)),
  saleColumn('proceeds', 'Proceeds', ({ proceeds }) => formatUsd(proceeds)),
  saleColumn('fee', 'Fee', ({ fee }) => formatUsd(fee)),
];

type Settling = SellSimulation['settling'];

/** A trade is on the chain within seconds. When it will be, the venue does not say: after this long it is late. */
const USUAL_S = 15;

/** What is being waited for since so many seconds, where the venue has not credited all shares yet. */
function settlingInWords(settling: Settling, waitedS: number): string {
  const shares = settling.map((each) => each.shares).reduce(addShares, SHARES_ZERO);
  const left = USUAL_S - waitedS;
  const when = left > 0 ? `as a rule done within ${left} s` : `late: for ${waitedS} s so far`;
  return `Waiting for the venue to settle ${formatShares(shares)} shares that were just bought, ${when}. This looks again every second.`;
}
