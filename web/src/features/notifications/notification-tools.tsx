import { NOTIFICATION_STATUSES } from '@dutchbook/contract/list-values.ts';
import { Button, NativeSelect } from '@mantine/core';
import { idFrom, oneOf } from '../../lists/list-search.ts';
import { ListTools } from '../../lists/list-tools.tsx';
import { AppliedField } from '../../ui/applied-field.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { filterOf, type NotificationFilter, type NotificationSearch, TYPES } from './notification-search.ts';
import styles from './notification-tools.module.css';

const STATUS_CHOICES = choices('All statuses', NOTIFICATION_STATUSES);
const TYPE_CHOICES = choices('All types', TYPES);

const NO_FILTER: NotificationFilter = {
  q: undefined,
  status: undefined,
  notification_type: undefined,
  opportunity_id: undefined,
};

type NotificationToolsProps = {
  columns: readonly Pick<Column<never>, 'key' | 'header'>[];
  search: NotificationSearch;
  onSearch: (search: NotificationSearch) => void;
};

/** Narrows the list; the choice stands in the address. */
export function NotificationTools({ columns, search, onSearch }: NotificationToolsProps) {
  const choose = (filter: NotificationFilter) => onSearch({ ...search, ...filter, page: 1 });
  return (
    <section aria-label="Filters">
      <ListTools
        list="notifications"
        columns={columns}
        search={search}
        onSearch={onSearch}
        findHint="Message, market or ID"
      >
        <NativeSelect
          className={styles.choice}
          size="xs"
          label="Status"
          data={STATUS_CHOICES}
          value={search.status ?? ''}
          onChange={({ currentTarget }) => choose({ status: oneOf(NOTIFICATION_STATUSES, currentTarget.value) })}
        />
        <NativeSelect
          className={styles.choice}
          size="xs"
          label="Type"
          data={TYPE_CHOICES}
          value={search.notification_type ?? ''}
          onChange={({ currentTarget }) => choose({ notification_type: oneOf(TYPES, currentTarget.value) })}
        />
        <AppliedField
          className={styles.id}
          label="Opportunity ID"
          placeholder="Any"
          applied={search.opportunity_id ?? ''}
          refusal={(text) => (idFrom(text) === undefined ? 'Enter the whole ID' : undefined)}
          onApply={(id) => choose({ opportunity_id: idFrom(id) })}
        />
        {Object.keys(filterOf(search)).length > 0 && (
          <Button size="xs" variant="default" onClick={() => choose(NO_FILTER)}>
            Clear
          </Button>
        )}
      </ListTools>
    </section>
  );
}

function choices(all: string, values: readonly string[]) {
  return [{ value: '', label: all }, ...values.map((value) => ({ value, label: statusWords(value) }))];
}
