import { listRelationHits, type RelationHit } from '@dutchbook/contract/discovery/hits.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pageQuery } from '../../calls/call-query.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { bookAge } from '../opportunities/book-age.ts';
import { ChosenSizeOf, ChosenSizes } from '../opportunities/chosen-sizes.tsx';
import { HitOutcome } from '../opportunities/list/last-hit.tsx';
import { inCents } from './relation-words.ts';

const SHOWN = 20;
const AGAIN_MS = 10_000;

/**
 * Each time the relation paid: how long, how much at best, and what came of it. `pays`: whether it does by its current prices, undefined
 * where they are not known; it is read again when that changes, and never says otherwise than what stands above it.
 */
export function RelationHits({ id, pays }: { id: string; pays: boolean | undefined }) {
  const columns = useMemo(() => columnsOf(pays), [pays]);
  const hits = useQuery(
    pageQuery(
      ['relation-hits', id, pays],
      listRelationHits,
      { query: { relation_id: id, skip: 0, limit: SHOWN } },
      { refetchInterval: AGAIN_MS },
    ),
  );
  const count = hits.data?.count ?? 0;
  if (hits.data !== undefined && count === 0) return null;
  return (
    <Panel title="Times It Paid" folds aside={count > SHOWN && <Newest of={count} />}>
      <Loaded of={hits} text="Error loading the times it paid" height={120}>
        {({ data }) => (
          <>
            <PolicyNow of={data} />
            <DataTable label="Times It Paid" columns={columns} rows={data} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Chosen size of the relation's opportunity that pays now, if any. */
function PolicyNow({ of: [newest] }: { of: readonly RelationHit[] }) {
  const id = newest?.opportunity_id ?? null;
  if (id === null || newest?.ended_at !== null) return null;
  return (
    <ChosenSizes ids={[id]}>
      <p className="hint">
        <ChosenSizeOf id={id} payingSize={null} />
      </p>
    </ChosenSizes>
  );
}

function Newest({ of: count }: { of: number }) {
  return (
    <p>
      The newest {SHOWN} of {formatCount(count)}
    </p>
  );
}

const columnsOf = (pays: boolean | undefined): readonly Column<RelationHit>[] => [
  { key: 'began', header: 'Began', cell: ({ first_at }) => <LocalTime at={first_at} /> },
  {
    key: 'lasted',
    header: 'Lasted',
    cell: ({ ended_at, lasted_ms }) => {
      if (ended_at !== null) return bookAge(lasted_ms);
      return pays === false ? 'Until just now' : <StatusBadge tone="success">Pays now</StatusBadge>;
    },
  },
  { key: 'net', header: 'Best per Set', align: 'end', cell: ({ net_usd }) => inCents(net_usd) },
  { key: 'profit', header: 'Best Dollars', align: 'end', cell: ({ profit_usd }) => formatUsd(profit_usd) },
  { key: 'size', header: 'Size', align: 'end', cell: ({ size }) => `${formatShares(size)} sh` },
  { key: 'outcome', header: 'What Came of It', wide: true, cell: (row) => <HitOutcome of={row} bought="Bought" /> },
];
