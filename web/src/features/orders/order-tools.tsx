import { ORDER_SIDES, ORDER_STATUSES } from '@dutchbook/contract/list-values.ts';
import { Button, NativeSelect } from '@mantine/core';
import { oneOf, withoutUnset } from '../../lists/list-search.ts';
import { ListTools } from '../../lists/list-tools.tsx';
import { AppliedField } from '../../ui/applied-field.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import type { OrderFilter, OrderSearch } from './order-search.ts';
import { ORDER_LIST_COLUMNS } from './order-table.tsx';
import styles from './order-tools.module.css';

const STATUS_CHOICES = [
  { value: '', label: 'All statuses' },
  ...ORDER_STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
];
const SIDE_CHOICES = [
  { value: '', label: 'Buy and sell' },
  { value: 'buy', label: 'Buy only' },
  { value: 'sell', label: 'Sell only' },
];
const FLAGS = [
  {
    name: 'hasError',
    label: 'Error',
    data: [
      { value: '', label: 'Any' },
      { value: 'true', label: 'With an error' },
      { value: 'false', label: 'Without' },
    ],
  },
  {
    name: 'unknown',
    label: 'Unknown',
    data: [
      { value: '', label: 'Any' },
      { value: 'true', label: 'Unknown only' },
      { value: 'false', label: 'Known only' },
    ],
  },
] as const;

const NO_FILTER: Record<keyof OrderFilter, undefined> = {
  q: undefined,
  status: undefined,
  side: undefined,
  marketId: undefined,
  hasError: undefined,
  unknown: undefined,
  batchId: undefined,
  opportunityId: undefined,
};

type OrderToolsProps = { search: OrderSearch; onSearch: (search: OrderSearch) => void };

/** Narrows the list; the choice stands in the address. */
export function OrderTools({ search, onSearch }: OrderToolsProps) {
  const choose = (filter: OrderFilter) => onSearch({ ...search, ...filter, page: 1 });
  return (
    <section aria-label="Filters">
      <ListTools
        list="orders"
        columns={ORDER_LIST_COLUMNS}
        search={search}
        onSearch={onSearch}
        findHint="Market, event, ID or source"
      >
        <NativeSelect
          className={styles.choice}
          size="xs"
          label="Status"
          data={STATUS_CHOICES}
          value={search.status ?? ''}
          onChange={({ currentTarget }) => choose({ status: oneOf(ORDER_STATUSES, currentTarget.value) })}
        />
        <NativeSelect
          className={styles.choice}
          size="xs"
          label="Side"
          data={SIDE_CHOICES}
          value={search.side ?? ''}
          onChange={({ currentTarget }) => choose({ side: oneOf(ORDER_SIDES, currentTarget.value) })}
        />
        {FLAGS.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            className={styles.choice}
            size="xs"
            label={label}
            data={data}
            value={String(search[name] ?? '')}
            onChange={({ currentTarget: { value } }) => choose({ [name]: value === '' ? undefined : value === 'true' })}
          />
        ))}
        <AppliedField
          className={styles.market}
          label="Market ID"
          placeholder="Any"
          maxLength={100}
          applied={search.marketId ?? ''}
          onApply={(id) => choose({ marketId: id || undefined })}
        />
        {isFiltered(search) && (
          <Button size="xs" variant="default" onClick={() => onSearch(withoutFilter(search))}>
            Clear
          </Button>
        )}
      </ListTools>
    </section>
  );
}

export function isFiltered({ page, sortBy, sortOrder, ...filter }: OrderSearch): boolean {
  return Object.keys(withoutUnset(filter)).length > 0;
}

export function withoutFilter(search: OrderSearch): OrderSearch {
  return { ...search, ...NO_FILTER, page: 1 };
}
