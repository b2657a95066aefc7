import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useIsPhone } from '../ui/use-on-screen.ts';
import { type Filtered, type FilterField, FoldedFilters } from './filter-fields.tsx';
import styles from './filter-panel.module.css';
import { type Listed, type RawSearch, unfiltered } from './list-search.ts';
import { type OfferedField, OfferedInput, offeredValue } from './offered-field.tsx';

export type PanelField<Name extends string> = FilterField<Name> | OfferedField<Name>;

type Texts<Name extends string> = Record<Name, string>;

type FilterPanelProps<Name extends string> = {
  title?: ReactNode;
  fields: readonly PanelField<Name>[];
  /** What holds now. */
  filter: Filtered<Name>;
  onApply: (texts: Texts<Name>) => void;
  onClear: () => void;
  /** Whether there is a way back to what holds now. */
  canReset?: boolean;
};

/** Chooses what a list shows; nothing changes until Apply. */
export function FilterPanel<Name extends string>(props: FilterPanelProps<Name>) {
  const { title, fields, filter, onApply, onClear, canReset = false } = props;
  const [draft, setDraft] = useState(() => textsOf(fields, filter));
  // A field may come later: that of the venue, once it is known that there are several.
  const texts = { ...textsOf(fields, filter), ...draft };
  const [refused, setRefused] = useState<{ [Each in Name]?: string | undefined }>({});
  const isPhone = useIsPhone();
  const active = fields.filter(({ name }) => (filter[name] ?? '') !== '').length;
  const begin = (held: Filtered<Name>) => {
    setDraft(textsOf(fields, held));
    setRefused({});
  };
  const apply = () => {
    const refusals = fields.map((field) => refusalOf(field, texts));
    setRefused(Object.fromEntries(fields.map(({ name }, index) => [name, refusals[index]])) as typeof refused);
    if (refusals.every((refusal) => refusal === undefined)) onApply(valuesOf(fields, texts));
  };
  const formId = useId();
  const buttons = (
    <div className={styles.buttons}>
      {/* A field that is left may lose its message, which would move the button away from under the pointer. */}
      <Button type="submit" form={formId} size="xs" onMouseDown={(event) => event.preventDefault()}>
        Apply
      </Button>
      {canReset && (
        <Button size="xs" variant="default" onClick={() => begin(filter)}>
          Reset
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          begin({});
          onClear();
        }}
      >
        Clear
      </Button>
    </div>
  );
  const isHeaded = !isPhone && title !== undefined;
  return (
    <section className={styles.panel} aria-label="Filters">
      {isHeaded && (
        <div className={styles.head}>
          {title}
          {buttons}
        </div>
      )}
      <FoldedFilters active={active}>
        <form
          id={formId}
          className={styles.fields}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            apply();
          }}
        >
          {fields.map((field) => (
            <DraftField
              key={field.name}
              field={field}
              text={texts[field.name]}
              error={refused[field.name]}
              onChange={(text) => setDraft({ ...texts, [field.name]: text })}
              onBlur={() => setRefused({ ...refused, [field.name]: refusalOf(field, texts) })}
            />
          ))}
          {!isHeaded && buttons}
        </form>
      </FoldedFilters>
    </section>
  );
}

type ListFiltersProps<Search> = {
  title?: ReactNode;
  fields: readonly PanelField<string>[];
  search: Search;
  searchFrom: (raw: RawSearch) => Search;
  onSearch: (search: Search) => void;
};

/** The filters of a list in a panel above it. */
export function ListFilters<Search extends Listed>({
  search,
  searchFrom,
  onSearch,
  ...panel
}: ListFiltersProps<Search>) {
  return (
    <FilterPanel
      {...panel}
      key={JSON.stringify(search)}
      filter={search}
      onApply={(texts) => onSearch(searchFrom({ ...search, ...texts, page: 1 }))}
      onClear={() => onSearch(unfiltered(search, searchFrom))}
      canReset
    />
  );
}

type DraftFieldProps = {
  field: PanelField<string>;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
};

function DraftField({ field, text, error, onChange, onBlur }: DraftFieldProps) {
  if ('offered' in field)
    return <OfferedInput field={field} text={text} error={error} onChange={onChange} onBlur={onBlur} />;
  const { label, flex } = field;
  const input = {
    size: 'xs',
    label,
    flex,
    value: text,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if ('choices' in field) return <NativeSelect {...input} data={field.choices} />;
  const { placeholder, type } = field;
  return <TextInput {...input} placeholder={placeholder} type={type} error={error} onBlur={onBlur} />;
}

function textsOf<Name extends string>(fields: readonly PanelField<Name>[], filter: Filtered<Name>) {
  return Object.fromEntries(fields.map(({ name }) => [name, String(filter[name] ?? '')])) as Texts<Name>;
}

function valuesOf<Name extends string>(fields: readonly PanelField<Name>[], draft: Texts<Name>) {
  return Object.fromEntries(fields.map((field) => [field.name, valueIn(field, draft)])) as Texts<Name>;
}

function valueIn<Name extends string>(field: PanelField<Name>, draft: Texts<Name>): string {
  const text = draft[field.name].trim();
  return 'offered' in field ? offeredValue(field, text) : text;
}

function refusalOf<Name extends string>(field: PanelField<Name>, draft: Texts<Name>): string | undefined {
  const value = valueIn(field, draft);
  return value === '' || 'choices' in field ? undefined : field.refusal?.(value);
}
