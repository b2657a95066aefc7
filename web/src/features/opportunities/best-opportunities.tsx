import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listQuery } from '../../lists/list.ts';
import { NEWEST_FIRST } from '../../lists/list-search.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Beneath, Panel } from '../../ui/panel.tsx';
import { Outdated, Signed } from '../../ui/signed.tsx';
import { ChosenSizeOf, ChosenSizes } from './chosen-sizes.tsx';
import { OPPORTUNITY_SOURCE, useLatestRow } from './opportunity-queries.ts';
import type { OpportunitySearch } from './opportunity-search.ts';
import { Profit, useOutdated } from './profit.tsx';

const SHOWN = 5;
const READ_AGAIN_MS = 15_000;
const BEST = { ...NEWEST_FIRST, active: true, sortBy: 'profit_usd' } as const;

/** Those that pay most dollars now, live; in a new order now and then. */
export function BestOpportunities() {
  useTopic('opportunities');
  const { data } = useQuery({
    ...listQuery<OpportunityRow, OpportunitySearch>(OPPORTUNITY_SOURCE, BEST, SHOWN),
    refetchInterval: READ_AGAIN_MS,
  });
  return (
    <Panel
      title="Best Opportunities"
      aside={
        <Link to="/arbitrage" search={BEST}>
          Show all
        </Link>
      }
    >
      {data?.count === 0 ? (
        <p className="muted">None is watched now. What discovery finds, and what you add, stands here.</p>
      ) : (
        <ChosenSizes ids={data?.data.map(({ id }) => id) ?? []}>
          <DataTable
            label="Best opportunities"
            columns={COLUMNS}
            rows={data?.data}
            skeletonRows={SHOWN}
            useLatest={useLatestRow}
          />
        </ChosenSizes>
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<Read<OpportunityRow>>[] = [
  {
    key: 'name',
    header: 'Opportunity',
    wide: true,
    cell: (row) => (
      <>
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: row.id }}>
          {row.name}
        </Link>
        <Beneath>
          <ChosenSizeOf id={row.id} />
        </Beneath>
      </>
    ),
  },
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
      <Signed value={dollars}>{formatUsd(dollars)}</Signed>
    </LiveNumber>
  );
}
