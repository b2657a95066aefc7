import type { Batch } from '@dutchbook/contract/batches.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import styles from './batch-details.module.css';

type Unhedged = NonNullable<Batch['unhedged']>;
type Row = Unhedged['positions'][number] & { id: string };

/** Shares held of some positions and not of the others: what can be lost until the rest fills. */
export function UnhedgedPanel({ unhedged }: { unhedged: Unhedged }) {
  const { positions, worst_loss_usd } = unhedged;
  return (
    <Panel title="Unhedged Exposure" tone="warning">
      <div className={styles.sections}>
        <Figures figures={[{ name: 'Worst loss if the rest never fills', value: formatUsd(worst_loss_usd) }]} />
        <DataTable
          label="Unhedged positions"
          columns={COLUMNS}
          rows={positions.map((position) => ({ ...position, id: position.order_id }))}
        />
      </div>
    </Panel>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'market', header: 'Market', wide: true, cell: ({ market_name }) => market_name },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  { key: 'shares', header: 'Shares', align: 'end', cell: ({ shares }) => formatShares(shares) },
  { key: 'usd', header: 'At Risk', align: 'end', cell: ({ usd }) => formatUsd(usd) },
];
