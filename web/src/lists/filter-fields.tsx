import { Button, NativeSelect } from '@mantine/core';
import { statusWords } from '../ui/status-badge.tsx';
import { AppliedField } from './applied-field.tsx';
import { activeFilters, decimalFrom, idFrom, type Listed, type RawSearch, unfiltered } from './list-search.ts';

export type Choice = { value: string; label: string };

/** What a list can be narrowed by: one of several `choices`, or a text. */
export type FilterField<Name extends string> = { name: Name; label: string; flex?: string } & (
  | { choices: readonly Choice[] }
  | {
      placeholder?: string;
      type?: 'date';
      inputMode?: 'decimal';
      maxLength?: number;
      /** Why a text cannot hold; an empty one always can. */
      refusal?: (text: string) => string | undefined;
    }
);

/** What holds of each field. */
export type Filtered<Name extends string> = { [Each in Name]?: unknown };

/** All of them or one of `values`. */
export function choicesOf(all: string, values: readonly string[]): Choice[] {
  return [{ value: '', label: all }, ...values.map((value) => ({ value, label: statusWords(value) }))];
}

export function flagChoices(either: string, yes: string, no: string): Choice[] {
  return [
    { value: '', label: either },
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
}

export function refuseNoNumber(text: string): string | undefined {
  return decimalFrom(text) === undefined ? 'Enter a number' : undefined;
}

export function refusePartOfId(text: string): string | undefined {
  return idFrom(text) === undefined ? 'Enter the whole ID' : undefined;
}

type FilterFieldsProps<Name extends string, Search> = {
  fields: readonly FilterField<Name>[];
  search: Search;
  searchFrom: (raw: RawSearch) => Search;
  onSearch: (search: Search) => void;
};

/** Filters that hold at once; the choice stands in the address. */
export function FilterFields<Name extends string, Search extends Listed & Filtered<Name>>(
  props: FilterFieldsProps<Name, Search>,
) {
  const { fields, search, searchFrom, onSearch } = props;
  return (
    <>
      {fields.map((field) => (
        <AppliedFilter
          key={field.name}
          field={field}
          applied={String(search[field.name] ?? '')}
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
