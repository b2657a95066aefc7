import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../ui/icons.tsx';
import { statusWords } from '../ui/status-badge.tsx';
import { useIsPhone } from '../ui/use-on-screen.ts';
import { AppliedField } from './applied-field.tsx';
import styles from './filter-panel.module.css';
import type { FilterPart } from './filters.ts';
import { activeFilters, type Listed, type RawSearch, unfiltered } from './list-search.ts';

export type Choice = { value: string; label: string };

/** The field in which one part of a filter is set: one of several `choices`, or a text. */
export type FilterField<Name extends string> = { name: Name; label: string; flex?: string } & (
  | { choices: readonly Choice[] }
  | (Pick<FilterPart, 'placeholder' | 'type' | 'inputMode' | 'maxLength'> & {
      /** Why a text cannot hold; an empty one always can. */
      refusal?: (text: string) => string | undefined;
    })
);

/** What holds of each field. */
export type Filtered<Name extends string> = { [Each in Name]?: unknown };

/** The fields of a filter, in the order of `names`, else in its own; a part without a label is set by links alone. */
export function fieldsOf<Name extends string>(filter: Record<Name, FilterPart>, names?: readonly Name[]) {
  const parts = names?.map((name) => [name, filter[name]] as const) ?? (Object.entries(filter) as [Name, FilterPart][]);
  return parts.flatMap(([name, part]) => fieldOf(name, part));
}

function fieldOf<Name extends string>(name: Name, part: FilterPart): FilterField<Name>[] {
  const { from, label, refused, values, all = '', words = {}, ...look } = part;
  if (label === undefined) return [];
  const refusal = (text: string) => (from(text) === undefined ? refused : undefined);
  if (values === undefined) return [{ ...look, name, label, refusal }];
  const named = values.map((value) => ({ value, label: words[value] ?? statusWords(value) }));
  return [{ ...look, name, label, choices: [{ value: '', label: all }, ...named] }];
}

type FilterFieldsProps<Search> = {
  fields: readonly FilterField<string>[];
  search: Search;
  searchFrom: (raw: RawSearch) => Search;
  onSearch: (search: Search) => void;
};

/** Filters that hold at once; the choice stands in the address. */
export function FilterFields<Search extends Listed>(props: FilterFieldsProps<Search>) {
  const { fields, search, searchFrom, onSearch } = props;
  const held: Filtered<string> = search;
  return (
    <>
      {fields.map((field) => (
        <AppliedFilter
          key={field.name}
          field={field}
          applied={String(held[field.name] ?? '')}
          onApply={(text) => onSearch(searchFrom({ ...search, page: 1, [field.name]: text }))}
        />
      ))}
      {fields.length > 0 && activeFilters(search) > 0 && (
        <Button size="xs" variant="default" onClick={() => onSearch(unfiltered(search, searchFrom))}>
          Clear
        </Button>
      )}
    </>
  );
}

type AppliedFilterProps = { field: FilterField<string>; applied: string; onApply: (text: string) => void };

function AppliedFilter({ field, applied, onApply }: AppliedFilterProps) {
  const { name, ...input } = field;
  if (!('choices' in input)) return <AppliedField {...input} applied={applied} onApply={onApply} />;
  const { choices, ...select } = input;
  return (
    <NativeSelect
      {...select}
      size="xs"
      data={choices}
      value={applied}
      onChange={({ currentTarget }) => onApply(currentTarget.value)}
    />
  );
}

type FoldedFiltersProps = {
  /** How many hold. */
  active: number;
  children: ReactNode;
};

/** The fields of a filter, on a phone below a button that opens them: the rows are what the page is looked at for. */
export function FoldedFilters({ active, children }: FoldedFiltersProps) {
  const isPhone = useIsPhone();
  const [isOpened, setOpened] = useState(false);
  if (!isPhone) return children;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-expanded={isOpened}
        leftSection={<Icon name="filter" size={15} />}
        onClick={() => setOpened(!isOpened)}
      >
        Filters{active > 0 && ` (${active})`}
      </Button>
      {isOpened && <div className={styles.folded}>{children}</div>}
    </>
  );
}
