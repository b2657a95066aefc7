import { Button } from '@mantine/core';
import { Icon } from '../../ui/icons.tsx';
import { useCheckAll, useExportCsv, useUpdatePrices } from './opportunity-actions.ts';
import type { OpportunitySearch } from './opportunity-search.ts';

type OpportunityToolbarProps = { search: OpportunitySearch; onAdd: () => void; onImport: () => void };

export function OpportunityToolbar({ search, onAdd, onImport }: OpportunityToolbarProps) {
  const exportCsv = useExportCsv();
  const checkAll = useCheckAll();
  const updatePrices = useUpdatePrices();
  const { page, sortBy, sortOrder, ...filter } = search;
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={onAdd}>
        Add Opportunity
      </Button>
      <Button variant="default" leftSection={<Icon name="upload" />} onClick={onImport}>
        Import CSV
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="download" />}
        loading={exportCsv.isPending}
        onClick={() => exportCsv.mutate(filter)}
      >
        Export CSV
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="check" />}
        loading={checkAll.isPending}
        onClick={() => checkAll.mutate()}
      >
        Check All
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="refresh" />}
        loading={updatePrices.isPending}
        onClick={() => updatePrices.mutate()}
      >
        Update Prices
      </Button>
    </>
  );
}
