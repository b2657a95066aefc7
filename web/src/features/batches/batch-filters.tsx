import { BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { FilterPanel } from '../../ui/filter-panel.tsx';
import { Icon } from '../../ui/icons.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { type Draft, useFilterDraft } from './batch-filter-draft.ts';
import styles from './batch-filters.module.css';
import { activeFilters, type BatchFilter, type BatchSearch } from './batch-search.ts';

const CHOICES = [
  {
    name: 'status',
    label: 'Status',
    data: [
      { value: '', label: 'All statuses' },
      ...BATCH_STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
    ],
  },
  { name: 'isActive', label: 'Active Status', data: flagChoices('Active and not', 'Active only', 'Not active only') },
  { name: 'canRetry', label: 'Retry Status', data: flagChoices('Any', 'Can be retried', 'Cannot be retried') },
  { name: 'unhedged', label: 'Exposure', data: flagChoices('Any', 'Unhedged only', 'Whole sets only') },
] as const satisfies readonly { name: keyof Draft; label: string; data: unknown }[];

type BatchFiltersProps = { search: BatchSearch; onFilter: (filter: BatchFilter) => void };

export function BatchFilters({ search, onFilter }: BatchFiltersProps) {
  const { draft, idError, change, judgeId, apply, reset, clear } = useFilterDraft(search, onFilter);
  return (
    <FilterPanel title={<Title count={activeFilters(search)} />} onApply={apply} onReset={reset} onClear={clear}>
      {CHOICES.map(({ name, label, data }) => (
        <NativeSelect
          key={name}
          size="xs"
          label={label}
          data={data}
          value={draft[name]}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
      <TextInput
        label="Opportunity ID"
        placeholder="Any"
        size="xs"
        className={styles.id}
        value={draft.opportunityId}
        error={idError}
        onChange={({ currentTarget }) => change({ opportunityId: currentTarget.value })}
        onBlur={judgeId}
      />
    </FilterPanel>
  );
}

function Title({ count }: { count: number }) {
  return (
    <h2 className={styles.title}>
      <Icon name="filter" size={16} /> Filters
      {count > 0 && <span className={styles.count}>{count} active</span>}
    </h2>
  );
}

function flagChoices(any: string, yes: string, no: string) {
  return [
    { value: '', label: any },
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
}
