import { listOpportunities, type OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../calls/call.ts';
import { type Read, readPage } from '../../../live/fresher.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { opportunityListKey, useLatestRow } from '../opportunity-queries.ts';
import { PINS_MAX, usePins } from './pins.ts';

const READ_AGAIN_MS = 60_000;

/** What was pinned in this browser, live, above whatever the list is narrowed to. */
export function PinnedOpportunities({ columns }: { columns: readonly Column<Read<OpportunityRow>>[] }) {
  const ids = usePins();
  const { data } = useQuery({
    queryKey: [...opportunityListKey, 'pinned', ids],
    queryFn: ({ signal }) =>
      readPage(() =>
        call(listOpportunities, {
          query: { skip: 0, limit: PINS_MAX, sort_by: 'profit_usd', sort_order: 'desc', ids: [...ids] },
          signal,
        }),
      ),
    enabled: ids.length > 0,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  if (ids.length === 0 || data === undefined || data.count === 0) return null;
  return (
    <Panel title="Pinned">
      <DataTable
        label="Pinned opportunities"
        columns={columns}
        rows={data.data.filter(({ id }) => ids.includes(id))}
        useLatest={useLatestRow}
      />
    </Panel>
  );
}
