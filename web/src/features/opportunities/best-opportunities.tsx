import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listQuery } from '../../lists/list.ts';
import { NEWEST_FIRST } from '../../lists/list-search.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { OPPORTUNITY_SOURCE, useLatestRow } from './opportunity-queries.ts';
import type { OpportunitySearch } from './opportunity-search.ts';
import { CurrentPrice, Profit, profitPerSet } from './profit.tsx';

const SHOWN = 5;
const READ_AGAIN_MS = 15_000;
const BEST = { ...NEWEST_FIRST, active: true, sortBy: 'profit_percentage' } as const;

/** Those that pay most now, live; in a new order now and then. */
export function BestOpportunities() {
  useTopic('opportunities');
  const { data } = useQuery({
    ...listQuery<OpportunityRow, OpportunitySearch>(OPPORTUNITY_SOURCE, BEST, SHOWN),
    refetchInterval: READ_AGAIN_MS,
  });
  if (data?.count === 0) return null;
  return (
    <Panel
      title="Best Opportunities"
      aside={
        <Link to="/arbitrage" search={BEST}>
          Show all
        </Link>
      }
    >
      <DataTable
        label="Best opportunities"
        columns={COLUMNS}
        rows={data?.data}
        skeletonRows={SHOWN}
        useLatest={useLatestRow}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Read<OpportunityRow>>[] = [
  {
    key: 'name',
    header: 'Opportunity',
    wide: true,
    cell: (row) => (
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: row.id }}>
        {row.name}
      </Link>
    ),
  },
  {
    key: 'current',
    header: 'Current Price',
    align: 'end',
    cell: (row) => <CurrentPrice of={row} />,
  },
  { key: 'set', header: 'Profit per Set', align: 'end', cell: profitPerSet },
  { key: 'profit', header: 'Profit %', align: 'end', cell: (row) => <Profit of={row} /> },
];
