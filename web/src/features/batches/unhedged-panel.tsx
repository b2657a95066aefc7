import type { Batch } from '@dutchbook/contract/batches.ts';
import { elapsedMs, instantFromMs } from '@dutchbook/units/instant.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Beneath, Figures, Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useNowMs } from '../../ui/use-now.ts';
import styles from './batch-details.module.css';
import { durationWords } from './execution-time.ts';
import { FinishSetButton } from './finish-set-button.tsx';

type Unhedged = NonNullable<Batch['unhedged']>;
type Row = Unhedged['positions'][number] & { id: string };

/** `unwind`: the button that sells them, which belongs to another feature. Its dialog outlives the exposure it has ended. */
type UnhedgedPanelProps = { batch: Batch; unwind: ReactNode };

/** Shares held of some positions and not of the others: what can be lost until the rest fills. */
export function UnhedgedPanel({ batch, unwind }: UnhedgedPanelProps) {
  const { unhedged } = batch;
  const ways = (
    <div className="row">
      <FinishSetButton batch={batch} />
      {unwind}
    </div>
  );
  return (
    <Panel title="Unhedged Exposure" tone="warning" aside={ways} hidden={unhedged === null}>
      {unhedged !== null && (
        <div className="stack">
          <Figures figures={figuresOf(unhedged)} />
          <DataTable
            label="Unhedged positions"
            columns={COLUMNS}
            rows={unhedged.positions.map((position) => ({ ...position, id: position.order_id }))}
          />
        </div>
      )}
    </Panel>
  );
}

function figuresOf({ worst_loss_usd, unwind_cost_usd, finish, finish_refusal, cheaper, since }: Unhedged) {
  return [
    {
      name: 'At Risk',
      value: (
        <>
          <LiveUsd value={worst_loss_usd} />
          <Beneath>lost if the rest never fills, fees counted</Beneath>
        </>
      ),
    },
    {
      name: 'Cost of unwinding now',
      value:
        unwind_cost_usd === null ? (
          <span className={styles.unknown}>Unknown, a book is missing</span>
        ) : (
          <>
            <LiveUsd value={unwind_cost_usd} />
            {cheaper === 'unwind' && <Cheaper />}
          </>
        ),
    },
    {
      name: 'Cost of finishing the set now',
      value:
        finish === null ? (
          <span className={styles.unknown}>{finish_refusal ?? 'Not known'}</span>
        ) : (
          <>
            <LiveUsd value={finish.loss_usd} />
            {cheaper === 'finish' && <Cheaper />}
            <Beneath>
              {formatUsd(finish.cost_usd)} for what is missing, the sets then pay {formatUsd(finish.pays_usd)}
            </Beneath>
          </>
        ),
    },
    { name: 'Unhedged for', value: <Since of={since} /> },
  ];
}

function Cheaper() {
  return <StatusBadge tone="success">Cheaper</StatusBadge>;
}

function LiveUsd({ value }: { value: Usd }) {
  return (
    <LiveNumber value={value} arrow="none" good="down">
      {formatUsd(value)}
    </LiveNumber>
  );
}

function Since({ of: since }: { of: Unhedged['since'] }) {
  const ms = elapsedMs(since, instantFromMs(useNowMs()));
  return (
    <>
      {durationWords(Math.max(0, ms))}
      <Beneath>
        since <LocalTime at={since} />
      </Beneath>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'market', header: 'Market', wide: true, cell: ({ market_name }) => market_name },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  { key: 'shares', header: 'Shares', align: 'end', cell: ({ shares }) => formatShares(shares) },
  { key: 'usd', header: 'At Risk', align: 'end', cell: ({ usd }) => formatUsd(usd) },
];
