import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { readAgain } from '../../calls/read-again.ts';
import { type FilterField, flagChoices, refuseNoNumber } from '../../lists/filter-fields.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { useOutOfOrder } from '../../lists/row-order.ts';
import { useTopic } from '../../live/live.ts';
import { Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { bulkActions } from './bulk-actions.ts';
import { ImportDialog } from './import-dialog.tsx';
import { opportunityColumns } from './opportunity-columns.tsx';
import { matchesFilter, opportunityListKey, opportunityListQuery, useLatestRow } from './opportunity-queries.ts';
import { type OpportunityFilter, type OpportunitySearch, opportunitySearchFrom } from './opportunity-search.ts';
import { OpportunityToolbar } from './opportunity-toolbar.tsx';
import { RecentProfits } from './recent-profits.tsx';

const AddOpportunityDialog = lazyDialog(() =>
  import('./add/add-opportunity-dialog.tsx').then((code) => code.AddOpportunityDialog),
);

type OpportunityListProps = {
  search: OpportunitySearch;
  onSearch: (search: OpportunitySearch) => void;
  /** What runs in the background, above the table. */
  progress: ReactNode;
};

/** The list of opportunities: one page of it, live. */
export function OpportunityList({ search, onSearch, progress }: OpportunityListProps) {
  const [importing, setImporting] = useState(false);
  const [adding, setAdding] = useState(false);
  useTopic('opportunities');
  const client = useQueryClient();
  const add = () => setAdding(true);
  const importFile = () => setImporting(true);
  return (
    <>
      <PageHeader
        title="Arbitrage Opportunities"
        actions={<OpportunityToolbar search={search} onAdd={add} onImport={importFile} />}
      />
      {progress}
      <OpportunityPage search={search} onSearch={onSearch} onAdd={add} onImport={importFile} />
      <ImportDialog
        opened={importing}
        onClose={() => setImporting(false)}
        onImported={() => readAgain(client, opportunityListKey)}
      />
      <AddOpportunityDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

type PageProps = Omit<OpportunityListProps, 'progress'> & { onAdd: () => void; onImport: () => void };

/** Apart from what stands above, which is not to be drawn again when the page arrives. */
function OpportunityPage({ search, onSearch, onAdd, onImport }: PageProps) {
  const page = useListPage({
    list: 'opportunities',
    search,
    searchFrom: opportunitySearchFrom,
    onSearch,
    queryOf: opportunityListQuery,
  });
  const { data } = page.query;
  const ids = useMemo(() => data?.data.map(({ id }) => id) ?? [], [data]);
  useListRefresh('opportunity', page, matchesFilter);
  const isOutOfOrder = useOutOfOrder('opportunity', MOVING, page.search);
  const navigate = useNavigate();
  return (
    <RecentProfits ids={ids}>
      <ListFrame
        {...page}
        label="Arbitrage Opportunities"
        icon="arbitrage"
        findHint="Market, event, ID or source"
        fields={FIELDS}
        columns={opportunityColumns}
        useLatest={useLatestRow}
        onOpen={({ id }) => navigate({ to: '/arbitrage/$opportunityId', params: { opportunityId: id } })}
        isOutOfOrder={isOutOfOrder}
        empty={<NoOpportunities onAdd={onAdd} onImport={onImport} />}
        actions={bulkActions}
      />
    </RecentProfits>
  );
}

const MOVING = ['current_price', 'profit_percentage'] as const;

const FIELDS: readonly FilterField<keyof OpportunityFilter>[] = [
  {
    name: 'active',
    label: 'Active',
    flex: '0 1 150px',
    choices: flagChoices('Active and inactive', 'Active only', 'Inactive only'),
  },
  {
    name: 'triggered',
    label: 'Triggered',
    flex: '0 1 150px',
    choices: flagChoices('Triggered or not', 'Triggered only', 'Not triggered only'),
  },
  { name: 'minProfitUsd', label: 'Least $ per Set', flex: '0 1 110px', inputMode: 'decimal', refusal: refuseNoNumber },
  { name: 'minProfit', label: 'Least Profit %', flex: '0 1 110px', inputMode: 'decimal', refusal: refuseNoNumber },
];

function NoOpportunities({ onAdd, onImport }: Pick<PageProps, 'onAdd' | 'onImport'>) {
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
