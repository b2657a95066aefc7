import { NativeSelect } from '@mantine/core';
import { decimalFrom } from '../../lists/list-search.ts';
import { ListTools } from '../../lists/list-tools.tsx';
import { AppliedField } from '../../ui/applied-field.tsx';
import type { Column } from '../../ui/data-table.tsx';
import type { OpportunityFilter, OpportunitySearch } from './opportunity-search.ts';
import styles from './opportunity-tools.module.css';

const FLAGS = [
  {
    name: 'active',
    label: 'Active',
    data: [
      { value: '', label: 'Active and inactive' },
      { value: 'true', label: 'Active only' },
      { value: 'false', label: 'Inactive only' },
    ],
  },
  {
    name: 'triggered',
    label: 'Triggered',
    data: [
      { value: '', label: 'Triggered or not' },
      { value: 'true', label: 'Triggered only' },
      { value: 'false', label: 'Not triggered only' },
    ],
  },
] as const;

const LEAST_PROFITS = [
  { name: 'minProfitUsd', label: 'Least $ per Set' },
  { name: 'minProfit', label: 'Least Profit %' },
] as const;

type OpportunityToolsProps = {
  columns: readonly Pick<Column<never>, 'key' | 'header'>[];
  search: OpportunitySearch;
  onSearch: (search: OpportunitySearch) => void;
};

/** Narrows the list; the choice stands in the address and also holds for the export. */
export function OpportunityTools({ columns, search, onSearch }: OpportunityToolsProps) {
  const choose = (filter: OpportunityFilter) => onSearch({ ...search, ...filter, page: 1 });
  return (
    <ListTools
      list="opportunities"
      columns={columns}
      search={search}
      onSearch={onSearch}
      findHint="Market, event, ID or source"
    >
      {FLAGS.map(({ name, label, data }) => (
        <NativeSelect
          key={name}
          className={styles.flag}
          size="xs"
          label={label}
          data={data}
          value={String(search[name] ?? '')}
          onChange={({ currentTarget: { value } }) => choose({ [name]: value === '' ? undefined : value === 'true' })}
        />
      ))}
      {LEAST_PROFITS.map(({ name, label }) => (
        <AppliedField
          key={name}
          className={styles.least}
          label={label}
          placeholder="Any"
          inputMode="decimal"
          applied={String(search[name] ?? '')}
          refusal={(text) => (decimalFrom(text) === undefined ? 'Enter a number' : undefined)}
          onApply={(text) => choose({ [name]: decimalFrom(text) })}
        />
      ))}
    </ListTools>
  );
}
