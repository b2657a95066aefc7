import { Button } from '@mantine/core';
import { Icon } from '../../ui/icons.tsx';
import { useCheckAll, useExportCsv, useUpdatePrices } from './opportunity-actions.ts';
import type { OpportunitySearch } from './opportunity-search.ts';

export function OpportunityToolbar({ search, onImport }: { search: OpportunitySearch; onImport: () => void }) {
  const exportCsv = useExportCsv();
  const checkAll = useCheckAll();
  const updatePrices = useUpdatePrices();
  const { page, sortBy, sortOrder, ...filter } = search;
  return (
    <>
      <Button leftSection={<Icon name="upload" />} onClick={onImport}>
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
