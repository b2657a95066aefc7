import { Button, NativeSelect } from '@mantine/core';
import { AppliedField } from './applied-field.tsx';
import type { Filtered, FilterField } from './filters.ts';
import { activeFilters, type Listed, type RawSearch, unfiltered } from './list-search.ts';

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
