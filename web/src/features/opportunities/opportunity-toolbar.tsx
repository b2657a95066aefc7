import { exportCsv } from '@dutchbook/contract/opportunities.ts';
import { Button, Menu } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useExportCsv } from '../../lists/export-csv.ts';
import { useListSearch } from '../../lists/list.ts';
import { Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type MenuEntry, MenuItems } from '../../ui/menu-items.tsx';
import { opportunityFilterQuery } from './list/listed-opportunities.ts';
import { useCheckAll, useUpdatePrices } from './opportunity-actions.ts';
import { opportunitySearchFrom } from './opportunity-search.ts';

type OpportunityToolbarProps = { onAdd: () => void; onImport: () => void };

/** What can be done with the list as a whole; on a phone all but the first in one menu. */
export function OpportunityToolbar({ onAdd, onImport }: OpportunityToolbarProps) {
  const { search } = useListSearch(opportunitySearchFrom);
  const exporting = useExportCsv('arbitrage_opportunities', () =>
    call(exportCsv, { query: opportunityFilterQuery(search) }),
  );
  const checkAll = useCheckAll();
  const updatePrices = useUpdatePrices();
  const entries: MenuEntry[] = [
    { label: 'Import CSV', icon: 'upload', onChoose: onImport, changes: true },
    { label: 'Export CSV', icon: 'download', onChoose: () => exporting.mutate(), disabled: exporting.isPending },
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
