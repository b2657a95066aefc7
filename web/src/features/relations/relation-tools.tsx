import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from '@dutchbook/contract/list-values.ts';
import { Button, NativeSelect } from '@mantine/core';
import { decimalFrom } from '../../lists/list-search.ts';
import { ListTools } from '../../lists/list-tools.tsx';
import { AppliedField } from '../../ui/applied-field.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { RELATION_COLUMNS } from './relation-columns.tsx';
import { isFiltered } from './relation-queries.ts';
import { type RelationFilter, type RelationSearch, relationSearchFrom } from './relation-search.ts';
import styles from './relation-tools.module.css';

const CHOICES = [
  { name: 'kind', label: 'Kind', data: choicesOf('All kinds', RELATION_KINDS) },
  { name: 'basis', label: 'Basis', data: choicesOf('All bases', RELATION_BASES) },
  { name: 'state', label: 'State', data: choicesOf('All states', RELATION_STATES) },
  {
    name: 'followed',
    label: 'Followed',
    data: [
      { value: '', label: 'Followed or not' },
      { value: 'true', label: 'Followed by me' },
      { value: 'false', label: 'Not followed' },
    ],
  },
] as const satisfies readonly { name: keyof RelationFilter; label: string; data: unknown }[];

type RelationToolsProps = { search: RelationSearch; onSearch: (search: RelationSearch) => void };

/** Narrows the list; the choice stands in the address. */
export function RelationTools({ search, onSearch }: RelationToolsProps) {
  const choose = (filter: Record<string, unknown>) => onSearch(relationSearchFrom({ ...search, ...filter, page: 1 }));
  return (
    <section aria-label="Filters">
      <ListTools
        list="relations"
        columns={RELATION_COLUMNS}
        search={search}
        onSearch={onSearch}
        findHint="Event, market or member"
      >
        {CHOICES.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            className={styles.choice}
            size="xs"
            label={label}
            data={data}
            value={String(search[name] ?? '')}
            onChange={({ currentTarget }) => choose({ [name]: currentTarget.value })}
          />
        ))}
        <AppliedField
          className={styles.least}
          label="Least Dollars"
          placeholder="Any"
          inputMode="decimal"
          applied={String(search.minProfitUsd ?? '')}
          refusal={(text) => (decimalFrom(text) === undefined ? 'Enter a number' : undefined)}
          onApply={(text) => choose({ minProfitUsd: text })}
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

export function withoutFilter({ sortBy, sortOrder }: RelationSearch): RelationSearch {
  return relationSearchFrom({ sortBy, sortOrder });
}

function choicesOf(all: string, values: readonly string[]) {
  return [{ value: '', label: all }, ...values.map((value) => ({ value, label: statusWords(value) }))];
}
