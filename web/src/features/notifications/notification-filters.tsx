import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { idFrom, oneOf } from '../../lists/list-search.ts';
import { statusWords } from '../../ui/status-badge.tsx';
import styles from './notification-filters.module.css';
import { filterOf, type NotificationFilter, type NotificationSearch, STATUSES, TYPES } from './notification-search.ts';

const STATUS_CHOICES = choices('All statuses', STATUSES);
const TYPE_CHOICES = choices('All types', TYPES);

const NO_FILTER: NotificationFilter = { status: undefined, notification_type: undefined, opportunity_id: undefined };

type NotificationFiltersProps = { search: NotificationSearch; onSearch: (search: NotificationSearch) => void };

/** Narrows the list; the choice stands in the address. */
export function NotificationFilters({ search, onSearch }: NotificationFiltersProps) {
  const choose = (filter: NotificationFilter) => onSearch({ ...search, ...filter, page: 1 });
  return (
    <section className={styles.filters} aria-label="Filters">
      <NativeSelect
        size="xs"
        label="Status"
        data={STATUS_CHOICES}
        value={search.status ?? ''}
        onChange={({ currentTarget }) => choose({ status: oneOf(STATUSES, currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        label="Type"
        data={TYPE_CHOICES}
        value={search.notification_type ?? ''}
        onChange={({ currentTarget }) => choose({ notification_type: oneOf(TYPES, currentTarget.value) })}
      />
      <OpportunityIdFilter
        key={search.opportunity_id}
        applied={search.opportunity_id ?? ''}
        onApply={(id) => choose({ opportunity_id: id })}
      />
      {Object.keys(filterOf(search)).length > 0 && (
        <Button size="xs" variant="default" className={styles.clear} onClick={() => choose(NO_FILTER)}>
          Clear
        </Button>
      )}
    </section>
  );
}

type OpportunityIdFilterProps = { applied: string; onApply: (id: string | undefined) => void };

/** Taken over on Enter and on leaving the field; half an ID is not looked for. */
function OpportunityIdFilter({ applied, onApply }: OpportunityIdFilterProps) {
  const [text, setText] = useState(applied);
  const [error, setError] = useState<string>();
  const apply = () => {
    const wanted = text.trim();
    const id = idFrom(wanted);
    const isHalf = wanted !== '' && id === undefined;
    setError(isHalf ? 'Enter the whole ID' : undefined);
    if (!isHalf && wanted !== applied) onApply(id);
  };
  return (
    <form
      className={styles.id}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        size="xs"
        label="Opportunity ID"
        placeholder="Any"
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}

function choices(all: string, values: readonly string[]) {
  return [{ value: '', label: all }, ...values.map((value) => ({ value, label: statusWords(value) }))];
}
