import { exportCsv } from '@dutchbook/contract/opportunities.ts';
import { Button, Menu } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useExportCsv } from '../../lists/export-csv.ts';
import { Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type MenuEntry, MenuItems } from '../../ui/menu-items.tsx';
import { useCheckAll, useUpdatePrices } from './opportunity-actions.ts';
import { filterQuery } from './opportunity-queries.ts';
import type { OpportunitySearch } from './opportunity-search.ts';

type OpportunityToolbarProps = { search: OpportunitySearch; onAdd: () => void; onImport: () => void };

/** What can be done with the list as a whole; on a phone all but the first in one menu. */
export function OpportunityToolbar({ search, onAdd, onImport }: OpportunityToolbarProps) {
  const exporting = useExportCsv('arbitrage_opportunities', exportFound);
  const checkAll = useCheckAll();
  const updatePrices = useUpdatePrices();
  const entries: MenuEntry[] = [
    { label: 'Import CSV', icon: 'upload', onChoose: onImport, changes: true },
    { label: 'Export CSV', icon: 'download', onChoose: () => exporting.mutate(search), disabled: exporting.isPending },
    {
      label: 'Check All',
      icon: 'check',
      onChoose: () => checkAll.mutate(),
      disabled: checkAll.isPending,
      changes: true,
    },
    {
      label: 'Update Prices',
      icon: 'refresh',
      onChoose: () => updatePrices.mutate(),
      disabled: updatePrices.isPending,
      changes: true,
    },
  ];
  return (
    <>
      <Changing>
        <Button leftSection={<Icon name="plus" />} onClick={onAdd}>
          Add Opportunity
        </Button>
      </Changing>
      {entries.map(({ label, icon, onChoose, changes, disabled = false }) => {
        const button = (
          <Button
            key={label}
            visibleFrom="sm"
            variant="default"
            leftSection={<Icon name={icon} />}
            loading={disabled}
            onClick={onChoose}
          >
            {label}
          </Button>
        );
        return changes ? <Changing key={label}>{button}</Changing> : button;
      })}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button hiddenFrom="sm" variant="default" leftSection={<Icon name="dots" />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItems entries={entries} />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function exportFound(search: OpportunitySearch): Promise<string> {
  return call(exportCsv, { query: filterQuery(search) });
}
