import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { payingWords } from '../../forms/paying-words.ts';
import { listQuery } from '../../lists/list.ts';
import { NEWEST_FIRST } from '../../lists/list-search.ts';
import { useInOrder, useWhere } from '../../lists/row-order.ts';
import { usePointerInside } from '../../lists/steady-rows.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Beneath, Panel } from '../../ui/panel.tsx';
import { Outdated, Signed } from '../../ui/signed.tsx';
import { useIsPhone } from '../../ui/use-on-screen.ts';
import { useOverview } from '../overview/use-overview.ts';
import styles from './best-opportunities.module.css';
import { ChosenSizeOf, ChosenSizes } from './chosen-sizes.tsx';
import { LastHit, LastHits, PaidAtBest } from './list/last-hit.tsx';
import { OPPORTUNITY_SOURCE } from './list/listed-opportunities.ts';
import { useLatestRow } from './opportunity-queries.ts';
import type { OpportunitySearch } from './opportunity-search.ts';
import { Profit, useOutdated } from './profit.tsx';

const SHOWN = 5;
/** Where no more are active, those that were found last stand below them. */
const FEW = 2;
/** Of those that were found last. */
const ON_PHONE = 3;
const READ_AGAIN_MS = 15_000;
const BEST = { ...NEWEST_FIRST, active: true, sortBy: 'profit_usd' } as const;
const LAST = { ...NEWEST_FIRST, active: false, sortBy: 'created_at' } as const;

/** The opportunities that pay most dollars now, live and in order. */
export function BestOpportunities() {
  useTopic('opportunities');
  const { data, refetch } = useQuery({
    ...listQuery<OpportunityRow, OpportunitySearch>(OPPORTUNITY_SOURCE, BEST, SHOWN),
    refetchInterval: READ_AGAIN_MS,
  });
  // Counted above them, and read sooner than they are.
  const active = useOverview().data?.active_opportunities;
  const isBehind = active !== undefined && data !== undefined && active !== data.count;
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, refetch]);
  const { inside, handlers } = usePointerInside();
  const paying = useWhere('opportunity', data?.data, pays);
  const rows = useInOrder('opportunity', paying, BEST, inside);
  return (
    <Panel
      title="Best Opportunities"
      aside={
        <Link to="/arbitrage" search={BEST}>
          Show all
        </Link>
      }
    >
      <div className="stack">
        {rows?.length === 0 && active !== undefined && active > 0 && <p className="muted">Nothing pays now.</p>}
        {data?.count !== 0 && rows?.length !== 0 && (
          <ChosenSizes ids={data?.data.map(({ id }) => id) ?? []}>
            <div {...handlers}>
              <DataTable
                label="Best opportunities"
                columns={COLUMNS}
                rows={rows}
                skeletonRows={SHOWN}
                useLatest={useLatestRow}
                isPast={isPast}
              />
            </div>
          </ChosenSizes>
        )}
        {data !== undefined && data.count <= FEW && <LastOpportunities shown={SHOWN - data.count} />}
      </div>
    </Panel>
  );
}

/** The inactive opportunities that were found last, with what they paid at best. */
function LastOpportunities({ shown }: { shown: number }) {
  const { data } = useQuery({
    ...listQuery<OpportunityRow, OpportunitySearch>(OPPORTUNITY_SOURCE, LAST, shown),
    refetchInterval: READ_AGAIN_MS,
  });
  const rows = useIsPhone() ? Math.min(shown, ON_PHONE) : shown;
  if (data?.count === 0)
    return (
      <p className="muted">
        {shown === SHOWN && 'None is watched now. What discovery finds, and what you add, stands here.'}
      </p>
    );
  return (
    <div className={`stack ${shown === SHOWN ? '' : styles.beside}`}>
      <p className="muted">{shown === SHOWN ? 'None is watched now. Found last:' : 'No longer watched, found last:'}</p>
      <LastHits ids={(data?.data ?? []).filter(wasFound).map(({ id }) => id)}>
        <DataTable
          label="Last opportunities"
          columns={LAST_COLUMNS}
          rows={data?.data.slice(0, rows)}
          skeletonRows={rows}
          useLatest={useLatestRow}
          isPast={isPast}
        />
      </LastHits>
    </div>
  );
}

const pays = ({ active, profit_usd: usd }: OpportunityRow) => active && usd !== null && usd > 0;

const wasFound = ({ relation_id }: OpportunityRow) => relation_id !== null;

const isPast = ({ active }: Read<OpportunityRow>) => !active;

const NAME: Column<Read<OpportunityRow>> = {
  key: 'name',
  header: 'Opportunity',
  wide: true,
  cell: (row) => (
    <>
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: row.id }}>
        {row.name}
      </Link>
      <Beneath>
        {row.active ? (
          <ChosenSizeOf id={row.id} payingSize={row.max_profitable_size} />
        ) : (
          row.relation_id !== null && <LastHit id={row.id} />
        )}
      </Beneath>
    </>
  ),
};

const LAST_COLUMNS: readonly Column<Read<OpportunityRow>>[] = [
  NAME,
  { key: 'found', header: 'Found', ofNow: true, spare: 'first', cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    key: 'best',
    header: 'Paid at Best',
    align: 'end',
    ofNow: true,
    cell: ({ id }) => <PaidAtBest id={id} of="profit" />,
  },
  { key: 'size', header: 'Sets', align: 'end', ofNow: true, cell: ({ id }) => <PaidAtBest id={id} of="size" /> },
];

const COLUMNS: readonly Column<Read<OpportunityRow>>[] = [
  NAME,
  { key: 'dollars', header: '$ Now', align: 'end', cell: (row) => <Dollars of={row} /> },
  {
    key: 'size',
    header: 'Sets',
    align: 'end',
    cell: ({ max_profitable_size: size }) => (size === null ? '–' : formatShares(size)),
  },
  { key: 'profit', header: 'Profit %', align: 'end', cell: (row) => <Profit of={row} /> },
];

/** What the largest size that pays would leave; grey with its moment where that is not now. */
function Dollars({ of }: { of: Read<OpportunityRow> }) {
  const { profit_usd: dollars } = of;
  const at = useOutdated(of);
  if (dollars === null) return '–';
  if (at !== undefined) return <Outdated at={at}>{formatUsd(dollars)}</Outdated>;
  return (
    <LiveNumber value={dollars} arrow="none">
      <Signed value={dollars}>{payingWords(dollars)}</Signed>
    </LiveNumber>
  );
}
