import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { readAgain } from '../../calls/read-again.ts';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { type List, useList, useListSearch } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { useOutOfOrder } from '../../lists/row-order.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useFieldsByVenue } from '../status/system-status.ts';
import { bulkActions } from './bulk-actions.ts';
import { ChosenSizes } from './chosen-sizes.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { LastHits } from './list/last-hit.tsx';
import { matchesFilter, OPPORTUNITY_SOURCE } from './list/listed-opportunities.ts';
import { PaysNow } from './list/pays-now.tsx';
import { PinnedOpportunities } from './list/pinned.tsx';
import { PlacingFromRows } from './list/row-order.tsx';
import { TriggerNote } from './list/trigger-note.tsx';
import { opportunityColumns } from './opportunity-columns.tsx';
import { opportunityListKey, useLatestRow } from './opportunity-queries.ts';
import { OPPORTUNITY_FILTER, type OpportunitySearch, opportunitySearchFrom } from './opportunity-search.ts';
import { OpportunityToolbar } from './opportunity-toolbar.tsx';
import { RecentProfits } from './recent-profits.tsx';

const AddOpportunityDialog = lazyDialog(() =>
  import('./add/add-opportunity-dialog.tsx').then((code) => code.AddOpportunityDialog),
);

const FIELDS = fieldsOf(OPPORTUNITY_FILTER);

const OPPORTUNITIES: Omit<List<OpportunityRow, OpportunitySearch>, 'empty' | 'fields' | 'past'> = {
  ...OPPORTUNITY_SOURCE,
  label: 'Arbitrage Opportunities',
  icon: 'arbitrage',
  searchFrom: opportunitySearchFrom,
  findHint: 'Market, event, ID or source',
  columns: opportunityColumns,
  useLatest: useLatestRow,
  open: ({ id }, navigate) => navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: id } }),
  actions: bulkActions,
};

const pastBy = (sortBy: OpportunitySearch['sortBy']) => ({
  is: ({ active }: OpportunityRow) => !active,
  words: (count: number) => {
    if (count === 1) return '1 inactive, as it was last';
    return `${formatCount(count)} inactive, as they were last${sortBy === 'profit_usd' ? ': what paid last first' : ''}`;
  },
});

/** The list of opportunities: one page of it, live; `progress` is what runs in the background, above the table. */
export function OpportunityList({ progress }: { progress: ReactNode }) {
  const [importing, setImporting] = useState(false);
  const [adding, setAdding] = useState(false);
  useTopic('opportunities');
  const client = useQueryClient();
  const add = () => setAdding(true);
  const importFile = () => setImporting(true);
  return (
    <>
      <PageHeader title="Arbitrage Opportunities" actions={<OpportunityToolbar onAdd={add} onImport={importFile} />} />
      {progress}
      <OpportunityPage onAdd={add} onImport={importFile} />
      <ImportDialog
        opened={importing}
        onClose={() => setImporting(false)}
        onImported={() => readAgain(client, opportunityListKey)}
      />
      <AddOpportunityDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

type PageProps = { onAdd: () => void; onImport: () => void };

/** Apart from what stands above, which is not to be drawn again when the page arrives. */
function OpportunityPage(props: PageProps) {
  const fields = useFieldsByVenue(FIELDS);
  const { sortBy } = useListSearch(opportunitySearchFrom).search;
  const past = useMemo(() => pastBy(sortBy), [sortBy]);
  const list = useList({ ...OPPORTUNITIES, past, fields, empty: <NoOpportunities {...props} /> });
  const { data } = list.query;
  const ids = useMemo(() => data?.data.map(({ id }) => id) ?? [], [data]);
  const found = useMemo(() => data?.data.filter(wasFound).map(({ id }) => id) ?? [], [data]);
  useListRefresh('opportunity', list, matchesFilter);
  useReadSoon(isOfSystem, list.refresh);
  const isOutOfOrder = useOutOfOrder('opportunity', MOVING, list.search);
  return (
    <PlacingFromRows>
      <PinnedOpportunities columns={PINNED_COLUMNS} />
      <PaysNow />
      <TriggerNote />
      <RecentProfits ids={ids}>
        <ChosenSizes ids={ids}>
          <LastHits ids={found}>
            <ListFrame {...list} isOutOfOrder={isOutOfOrder} />
          </LastHits>
        </ChosenSizes>
      </RecentProfits>
    </PlacingFromRows>
  );
}

const wasFound = ({ relation_id }: OpportunityRow) => relation_id !== null;

/** Books that go stale move no price: the state of the feed says so. */
const isOfSystem = ({ type }: Change) => type === 'system';

const MOVING = [
  'current_price',
  'profit_percentage',
  'annualised_return',
  'profit_usd',
  'max_profitable_size',
] as const;

const PINNED_COLUMNS = opportunityColumns.filter(({ key }) => key !== 'created' && key !== 'id');

function NoOpportunities({ onAdd, onImport }: PageProps) {
  return (
    <EmptyState
      icon="arbitrage"
      text="No arbitrage opportunities found."
      hint="Build one from the markets of the venue, or import a CSV file with one opportunity per row."
    >
      <Changing>
        <Button leftSection={<Icon name="plus" />} onClick={onAdd}>
          Add the First One
        </Button>
        <Button variant="default" leftSection={<Icon name="upload" />} onClick={onImport}>
          Choose a CSV File
        </Button>
      </Changing>
    </EmptyState>
  );
}
