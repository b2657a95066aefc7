import { NativeSelect } from '@mantine/core';
import styles from './opportunity-filters.module.css';
import type { OpportunitySearch } from './opportunity-search.ts';

const ACTIVE = [
  { value: '', label: 'Active and inactive' },
  { value: 'true', label: 'Active only' },
  { value: 'false', label: 'Inactive only' },
];
const TRIGGERED = [
  { value: '', label: 'Triggered or not' },
  { value: 'true', label: 'Triggered only' },
  { value: 'false', label: 'Not triggered only' },
];

type OpportunityFiltersProps = { search: OpportunitySearch; onSearch: (search: OpportunitySearch) => void };

/** Narrows the list; the choice stands in the address and also holds for the export. */
export function OpportunityFilters({ search, onSearch }: OpportunityFiltersProps) {
  const choose = (name: 'active' | 'triggered', text: string) => {
    const { [name]: _replaced, ...rest } = search;
    onSearch({ ...rest, page: 1, ...(text === '' ? {} : { [name]: text === 'true' }) });
  };
  return (
    <div className={styles.filters}>
      <NativeSelect
        size="xs"
        label="Active"
        data={ACTIVE}
        value={String(search.active ?? '')}
        onChange={({ currentTarget }) => choose('active', currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        label="Triggered"
        data={TRIGGERED}
        value={String(search.triggered ?? '')}
        onChange={({ currentTarget }) => choose('triggered', currentTarget.value)}
      />
    </div>
  );
}
