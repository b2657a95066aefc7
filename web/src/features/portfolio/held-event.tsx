import type { HeldEvent } from '@dutchbook/contract/portfolio.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, formatUsd, subtractUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { DataTable } from '../../ui/data-table.tsx';
import { LocalDay, LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { VenueTags } from '../status/venue-tags.tsx';
import { Gain, gainPercent } from './gain.tsx';
import { heldColumns, WHY_NO_GAIN, WITHOUT_GAIN } from './holding-columns.tsx';
import { type HeldGroup, standingOfGroup, sumsOf } from './holding-groups.ts';
import styles from './portfolio.module.css';
import type { RenderSell } from './render-sell.ts';
import { BestWay, WaysOut } from './ways-out.tsx';

type HeldEventPanelProps = {
  of: HeldGroup;
  readAt: Instant;
  renderSell: RenderSell;
};

/** What is held of one event: a line with its worth and the best way out, which unfolds into the positions and all ways. */
export function HeldEventPanel({ of: group, readAt, renderSell }: HeldEventPanelProps) {
  const { event, rows, isGone = false } = group;
  const [isUnfolded, unfold] = useState(false);
  const columns = useMemo(() => heldColumns(renderSell), [renderSell]);
  return (
    <Panel
      title={event.title}
      aside={
        <div className={styles.line} data-beside>
          <VenueTags ids={[event.event_id]} />
          {isGone && <p className="hint">Nothing of it is held any more.</p>}
          {!isUnfolded && !isGone && <Worth of={group} />}
          {!isGone && <Ends of={event} readAt={readAt} />}
          {!isUnfolded && !isGone && <BestWay of={group} renderSell={renderSell} />}
          <Button
            size="xs"
            variant="default"
            disabled={isGone}
            aria-label={`${isUnfolded ? 'Hide' : 'Show'}: ${event.title}`}
            aria-expanded={isUnfolded}
            onClick={() => unfold(!isUnfolded)}
          >
            {isUnfolded ? 'Hide' : 'Show'}
          </Button>
        </div>
      }
    >
      {isUnfolded && (
        <div inert={isGone} className={isGone ? styles.gone : undefined}>
          <DataTable label={event.title} columns={columns} rows={rows} />
          {(rows.length > 1 || group.lostCost > 0) && <Together of={group} />}
          <WaysOut of={group} renderSell={renderSell} />
        </div>
      )}
    </Panel>
  );
}

const BEFORE_WORTH = { pays: 'pays ', worth: 'worth ', at_bid: '' } as const;

/** On the line: how many positions, what they pay or are worth, and what that is above cost. */
function Worth({ of: group }: Pick<HeldEventPanelProps, 'of'>) {
  const { rows } = group;
  const { cost } = sumsOf(rows);
  const standing = standingOfGroup(group);
  return (
    <span className={`hint ${styles.worth}`}>
      <span>
        {rows.length === 1 ? '1 position' : `${formatCount(rows.length)} positions`}
        {cost > 0 && <span className={styles.comma}>, </span>}
      </span>
      {cost > 0 && 'gain' in standing && (
        <>
          <span>
            {BEFORE_WORTH[standing.kind]}
            {formatUsd(standing.usd)}{' '}
          </span>
          <Gain usd={standing.gain} />
        </>
      )}
      {cost > 0 && !('gain' in standing) && (
        <>
          <span>cost {formatUsd(cost)}</span>
          <span title={WHY_NO_GAIN[standing.kind]}> {WITHOUT_GAIN[standing.kind]}</span>
        </>
      )}
    </span>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

function Ends({ of: { locked_until: until, resolution }, readAt }: { of: HeldEvent; readAt: Instant }) {
  if (resolution !== null) return <StatusBadge tone="warning">{WAITS_FOR[resolution]}</StatusBadge>;
  if (until === null) return <p className="hint">The venue does not say when it ends</p>;
  return (
    <p className={`hint ${styles.until}`}>
      {until > readAt ? 'Ends ' : 'Not resolved yet, ended '}
      {Math.abs(until - readAt) < DAY_MS ? <LocalTime at={until} to="clock" /> : <LocalDay at={until} />}
    </p>
  );
}

const WAITS_FOR: Record<NonNullable<HeldEvent['resolution']>, string> = {
  proposed: 'Resolution proposed: pays unless it is disputed in time',
  disputed: 'Resolution disputed: pays once the vote has ended',
};

/** What the rows make together. */
function Together({ of: group }: Pick<HeldEventPanelProps, 'of'>) {
  const { rows, lostCost } = group;
  const { value, cost: ofRows, unvalued, unpriced } = sumsOf(rows);
  const cost = addUsd(ofRows, lostCost);
  const standing = standingOfGroup(group);
  if (cost === 0) return null;
  return (
    <p className={`hint ${styles.together}`}>
      Together {value === null ? 'of no known price' : `${formatUsd(value)} at the bid`} for {formatUsd(cost)}
      {lostCost > 0 && `, ${formatUsd(lostCost)} of it for legs that have lost`}
      {unvalued > 0 && value !== null && `, ${unvalued} without a price`}
      {standing.kind === 'at_bid' && (
        <>
          {' '}
          <Gain usd={standing.gain} /> {gainPercent(standing.gain, subtractUsd(cost, unpriced))}
        </>
      )}
      {(standing.kind === 'pays' || standing.kind === 'worth') && (
        <>
          {standing.kind === 'pays'
            ? `; pays at least ${formatUsd(standing.usd)} at resolution `
            : `; worth ${formatUsd(standing.usd)} with whole sets at what they pay `}
          <Gain usd={standing.gain} /> {gainPercent(standing.gain, subtractUsd(cost, unpriced))}
        </>
      )}
      {!('gain' in standing) && standing.kind !== 'unpriced' && `; ${WITHOUT_GAIN[standing.kind]}`}
    </p>
  );
}
