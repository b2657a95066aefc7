import type { CashMove, CashPocket, CashPockets } from '@dutchbook/contract/accounts/cash-moves.ts';
import type { Portfolio } from '@dutchbook/contract/portfolio.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { cashMovesQuery, cashPocketsQuery } from './cash-move-queries.ts';
import { LEAST_ORDER } from './least-order.ts';

const MoveCashDialog = lazyDialog(() => import('./move-cash-dialog.tsx').then((code) => code.MoveCashDialog));
const CloseMoveDialog = lazyDialog(() => import('./close-move-dialog.tsx').then((code) => code.CloseMoveDialog));

type AtVenue = CashPockets['venues'][number];

type PocketsPanelsProps = { at: Portfolio['cash']['by_venue']; to: string | undefined };

/**
 * Where the cash of each venue lies that keeps it in several parts. `at`: the venues, as far as the page knows them already.
 * `to`: the shard that another page asks to move cash into.
 */
export function PocketsPanels({ at, to }: PocketsPanelsProps) {
  const read = useQuery(cashPocketsQuery);
  const { data: moves } = useQuery(cashMovesQuery);
  return (
    <>
      <LoadError of={read} text="Error loading the cash by shard" />
      {read.data === undefined &&
        read.error === null &&
        at.map(
          ({ venue, pockets }) => pockets !== undefined && <Awaited key={venue} venue={venue} count={pockets.length} />,
        )}
      {read.data?.venues.map((of) => (
        <PocketsPanel key={of.venue} of={of} moves={moves?.data ?? NONE} to={to} />
      ))}
    </>
  );
}

const NONE: readonly never[] = [];

const panelTitle = (venue: VenueName) => `Cash at ${VENUE_LABELS[venue]} by Shard`;

/** As high as what comes in its place. */
function Awaited({ venue, count }: { venue: VenueName; count: number }) {
  return (
    <Panel title={panelTitle(venue)} folds aside={<Skeleton width={108} height={36} />}>
      <DataTable<ReturnType<typeof withId>>
        label={`Cash at ${VENUE_LABELS[venue]}`}
        columns={POCKET_COLUMNS}
        rows={undefined}
        skeletonRows={count}
      />
      <p className="hint">A market is paid from its own shard alone.</p>
    </Panel>
  );
}

const POCKET_COLUMNS: readonly Column<CashPocket>[] = [
  { key: 'name', header: 'Shard', cell: ({ name }) => name },
  { key: 'markets', header: 'Markets', wide: true, cell: ({ description }) => description },
  {
    key: 'free',
    header: 'Free',
    align: 'end',
    cell: ({ free_usd: usd }) => (usd === null ? <span className="muted">Not known</span> : formatUsd(usd)),
  },
  {
    key: 'target',
    header: 'Kept by the Venue',
    align: 'end',
    cell: ({ target_percent: percent }) => (percent === null ? <span className="muted">–</span> : `${percent}%`),
  },
  { key: 'state', header: 'State', cell: (pocket) => <State of={pocket} /> },
];

function State({ of: { trades, takes_moves: takesMoves, free_usd: usd } }: { of: CashPocket }) {
  if (!trades) return <StatusBadge tone="warning">Paused</StatusBadge>;
  if (!takesMoves) return <StatusBadge tone="warning">No transfers</StatusBadge>;
  if (usd !== null && usd < LEAST_ORDER) return <StatusBadge tone="warning">Empty</StatusBadge>;
  return <StatusBadge tone="success">Open</StatusBadge>;
}

const MOVE_COLUMNS: readonly Column<CashMove>[] = [
  { key: 'at', header: 'Asked For', cell: ({ created_at: at }) => <Moment at={at} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount_usd: usd }) => formatUsd(usd) },
  {
    key: 'way',
    header: 'From and To',
    cell: ({ from_pocket: from, to_pocket: to }) => `Shard ${from} to shard ${to}`,
  },
  { key: 'status', header: 'Status', cell: (move) => <Status of={move} /> },
  { key: 'reason', header: 'Reason', wide: true, cell: ({ reason }) => reason ?? '' },
  { key: 'by', header: 'By', cell: ({ requested_by: by }) => by },
  { key: 'actions', header: 'Actions', align: 'end', cell: (move) => <StateButton of={move} /> },
];

const STATUSES = {
  recorded: { tone: 'pending', text: 'Recorded' },
  sent: { tone: 'active', text: 'Sent' },
  unknown: { tone: 'error', text: 'Unknown, check at the venue' },
  done: { tone: 'success', text: 'Done' },
  rejected: { tone: 'warning', text: 'Rejected' },
} as const;

function Status({ of: { status } }: { of: CashMove }) {
  const { tone, text } = STATUSES[status];
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}

/** What a person has found at the venue ends a move of which nothing else does. */
function StateButton({ of: move }: { of: CashMove }) {
  const { data: user } = useQuery(currentUserQuery);
  const [opened, setOpened] = useState(false);
  if (move.status !== 'unknown' || !user?.is_superuser) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpened(true)}>
        State What Became of It
      </Button>
      <CloseMoveDialog opened={opened} move={move} onClose={() => setOpened(false)} />
    </>
  );
}

type PocketsPanelProps = { of: AtVenue; moves: readonly CashMove[]; to: string | undefined };

function PocketsPanel({ of: { venue, pockets, move_refusal: refusal }, moves, to }: PocketsPanelProps) {
  const { data: user } = useQuery(currentUserQuery);
  const isAsked = to !== undefined && pockets.some(({ name }) => name === to);
  const [opened, setOpened] = useState(isAsked);
  const own = moves.filter((move) => move.venue === venue);
  const isMoving = own.some(({ ended_at: endedAt }) => endedAt === null);
  const mayMove = user?.is_superuser === true && refusal === null;
  return (
    <Panel
      title={panelTitle(venue)}
      folds={!isAsked}
      aside={
        mayMove && (
          <Button variant="default" disabled={isMoving} onClick={() => setOpened(true)}>
            Move Cash
          </Button>
        )
      }
    >
      <DataTable label={`Cash at ${VENUE_LABELS[venue]}`} columns={POCKET_COLUMNS} rows={pockets.map(withId)} />
      <p className="hint">
        A market is paid from its own shard alone. {refusal ?? ''}
        {isMoving && ' One move at a time: another can be asked for once this one has ended.'}
      </p>
      {own.length > 0 && <DataTable label="Moves of Cash" columns={MOVE_COLUMNS} rows={own} />}
      {mayMove && (
        <MoveCashDialog
          opened={opened && !isMoving}
          venue={venue}
          pockets={pockets}
          to={to}
          onClose={() => setOpened(false)}
        />
      )}
    </Panel>
  );
}

const withId = (pocket: CashPocket) => ({ ...pocket, id: pocket.name });
