import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Read } from '../../live/fresher.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { VenueTags } from '../status/venue-tags.tsx';
import styles from './relation-columns.module.css';
import { NEAREST_FIRST, type RelationSearch } from './relation-search.ts';
import { BasisWord, Distance, Dollars, StateBadge } from './relation-values.tsx';
import { losesNow, waitsForApproval } from './relation-words.ts';

type Row = Read<RelationRow>;

export const RELATION_COLUMNS: readonly Column<Row, RelationSearch['sortBy']>[] = [
  {
    key: 'id',
    header: 'Relation',
    wide: true,
    cell: ({ id, event_title, title, kind, event_id }) => (
      <>
        <RelationTitle {...{ id, event_title, title }} />
        <VenueTags ids={[event_id]} />
        {kind === 'pair' && (
          <Link className={styles.pairs} to="/discover" search={{ ...NEAREST_FIRST, q: event_id, kind, pairs: 'each' }}>
            All pairs of the event
          </Link>
        )}
      </>
    ),
  },
  { key: 'kind', header: 'Kind', sortBy: 'kind', spare: true, cell: ({ kind }) => statusWords(kind) },
  { key: 'basis', header: 'Basis', sortBy: 'basis', cell: (row) => <BasisWord of={row} /> },
  { key: 'state', header: 'State', sortBy: 'state', cell: (row) => <StateCell of={row} /> },
  { key: 'distance', header: 'Distance', sortBy: 'distance', wide: true, cell: (row) => <DistanceCell of={row} /> },
  { key: 'dollars', header: 'Dollars', sortBy: 'profit_usd', align: 'end', cell: (row) => <Dollars of={row} /> },
  { key: 'quoted', header: 'Quoted', align: 'end', spare: true, cell: ({ quoted, members }) => `${quoted}/${members}` },
  {
    key: 'hit',
    header: 'Last Hit',
    sortBy: 'last_hit_at',
    spare: true,
    cell: ({ last_hit_at, hits }) =>
      last_hit_at === null ? (
        'Never'
      ) : (
        <span title={hits === 1 ? 'It paid once' : `It paid ${formatCount(hits)} times`}>
          <Moment at={last_hit_at} />
        </span>
      ),
  },
];

/** Beneath the distance stands what keeps it from paying, in one line or in two. */
function DistanceCell({ of: row }: { of: Row }) {
  return (
    <span className={styles.distance}>
      <Distance of={row} />
    </span>
  );
}

/** Whether it trades, and the way to what makes it. */
function StateCell({ of: row }: { of: Row }) {
  return (
    <span className={styles.state}>
      <StateBadge of={row} />
      <NextStep of={row} />
    </span>
  );
}

function NextStep({ of: row }: { of: Row }) {
  const { data: user } = useQuery(currentUserQuery);
  const { id, kind, state, may_trade, distance, opportunity_id: opportunityId } = row;
  if (may_trade && distance !== null && distance < 0 && opportunityId !== null)
    return (
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId }}>
        Buy or see why not
      </Link>
    );
  if (!user?.is_superuser || may_trade || state === 'rejected') return null;
  if (state === 'proposed' && !waitsForApproval(row))
    return (
      <Link to="/admin/system-settings" hash={`discovery-${kind}`}>
        Switch on
      </Link>
    );
  return (
    <Link to="/discover/$relationId" params={{ relationId: id }}>
      {losesNow(row) ? 'Read' : state === 'void' ? 'Read and approve anew' : 'Read and approve'}
    </Link>
  );
}

/** The event and the relation's title. Memoized: rendering its link costs more than the prices that change beside it. */
export const RelationTitle = memo(function RelationTitle({
  id,
  event_title,
  title,
}: Pick<RelationRow, 'id' | 'event_title' | 'title'>) {
  return (
    <div className={styles.says}>
      <Link to="/discover/$relationId" params={{ relationId: id }}>
        {event_title}
      </Link>
      <span>{title}</span>
    </div>
  );
});
