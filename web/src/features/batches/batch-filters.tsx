import { BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { choicesOf, type FilterField, flagChoices, refusePartOfId } from '../../lists/filter-fields.tsx';
import { FilterPanel } from '../../lists/filter-panel.tsx';
import { activeFilters, unfiltered } from '../../lists/list-search.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './batch-filters.module.css';
import { type BatchFilter, type BatchSearch, batchSearchFrom } from './batch-search.ts';

const FIELDS: readonly FilterField<Exclude<keyof BatchFilter, 'q'>>[] = [
  { name: 'status', label: 'Status', choices: choicesOf('All statuses', BATCH_STATUSES) },
  {
    name: 'isActive',
    label: 'Active Status',
    choices: flagChoices('Active and not', 'Active only', 'Not active only'),
  },
  { name: 'canRetry', label: 'Retry Status', choices: flagChoices('Any', 'Can be retried', 'Cannot be retried') },
  { name: 'unhedged', label: 'Exposure', choices: flagChoices('Any', 'Unhedged only', 'Whole sets only') },
  { name: 'opportunityId', label: 'Opportunity ID', flex: '2 1 160px', refusal: refusePartOfId },
];

type BatchFiltersProps = { search: BatchSearch; onSearch: (search: BatchSearch) => void };

export function BatchFilters({ search, onSearch }: BatchFiltersProps) {
  const count = activeFilters(search);
  return (
    <FilterPanel
      title={
        <h2 className={styles.title}>
          <Icon name="filter" size={16} /> Filters
          {count > 0 && <span className={styles.count}>{count} active</span>}
        </h2>
      }
      fields={FIELDS}
      filter={search}
      onApply={(texts) => onSearch(batchSearchFrom({ ...search, ...texts, page: 1 }))}
      onClear={() => onSearch(unfiltered(search, batchSearchFrom))}
      canReset
    />
  );
}
