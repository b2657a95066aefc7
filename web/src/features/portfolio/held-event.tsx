import type { HeldEvent } from '@dutchbook/contract/portfolio.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatUsd, subtractUsd } from '@dutchbook/units/usd.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Gain, gainPercent } from './gain.tsx';
import { HELD_COLUMNS } from './holding-columns.tsx';
import { type HeldGroup, type HoldingRow, sumsOf } from './holding-groups.ts';
import styles from './portfolio.module.css';
import { WaysOut } from './ways-out.tsx';

type HeldEventPanelProps = { of: HeldGroup; readAt: Instant };

/** What is held of one event, what it is worth, and how it can be left. */
export function HeldEventPanel({ of: group, readAt }: HeldEventPanelProps) {
  const { event, rows } = group;
  return (
    <Panel title={event.title} aside={<Locked of={event} readAt={readAt} />}>
      <DataTable label={event.title} columns={HELD_COLUMNS} rows={rows} />
      {rows.length > 1 && <Together rows={rows} />}
      <WaysOut of={group} />
    </Panel>
  );
}

function Locked({ of: { locked_until: until, resolution }, readAt }: { of: HeldEvent; readAt: Instant }) {
  if (resolution !== null) return <StatusBadge tone="warning">{WAITS_FOR[resolution]}</StatusBadge>;
  if (until === null) return <p className="hint">The venue does not say when it ends</p>;
  return (
    <p className="hint">
      {until > readAt ? 'Locked until ' : 'Not resolved yet, ended '}
      <Moment at={until} />
    </p>
  );
}

const WAITS_FOR: Record<NonNullable<HeldEvent['resolution']>, string> = {
  proposed: 'Resolution proposed: pays unless it is disputed in time',
  disputed: 'Resolution disputed: pays once the vote has ended',
};

/** What the rows make together. */
function Together({ rows }: { rows: readonly HoldingRow[] }) {
  const { value, cost, unrealised, unvalued, unpriced } = sumsOf(rows);
  if (cost === 0) return null;
  return (
    <p className={`hint ${styles.together}`}>
      {value === null || unrealised === null ? (
        `Cost ${formatUsd(cost)} together; what it is worth is not known`
      ) : (
        <>
          Together {formatUsd(value)} at the bid for {formatUsd(cost)} <Gain usd={unrealised} />{' '}
          {gainPercent(unrealised, subtractUsd(cost, unpriced))}
          {unvalued > 0 && `, ${unvalued} without a price`}
        </>
      )}
    </p>
  );
}
