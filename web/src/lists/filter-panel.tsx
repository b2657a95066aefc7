import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Filtered, FilterField } from './filter-fields.tsx';
import styles from './filter-panel.module.css';

type Texts<Name extends string> = Record<Name, string>;

type FilterPanelProps<Name extends string> = {
  title?: ReactNode;
  fields: readonly FilterField<Name>[];
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
  const [refused, setRefused] = useState<{ [Each in Name]?: string | undefined }>({});
  const begin = (held: Filtered<Name>) => {
    setDraft(textsOf(fields, held));
    setRefused({});
  };
  const apply = () => {
    const refusals = fields.map((field) => refusalOf(field, draft));
    setRefused(Object.fromEntries(fields.map(({ name }, index) => [name, refusals[index]])) as typeof refused);
    if (refusals.every((refusal) => refusal === undefined)) onApply(trimmed(draft));
  };
  return (
    <section className={styles.panel} aria-label="Filters">
      {title}
      <form
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
            text={draft[field.name]}
            error={refused[field.name]}
            onChange={(text) => setDraft({ ...draft, [field.name]: text })}
            onBlur={() => setRefused({ ...refused, [field.name]: refusalOf(field, draft) })}
          />
        ))}
        <div className={styles.buttons}>
          {/* A field that is left may lose its message, which would move the button away from under the pointer. */}
          <Button type="submit" size="xs" onMouseDown={(event) => event.preventDefault()}>
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
      </form>
    </section>
  );
}

type DraftFieldProps = {
  field: FilterField<string>;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
};

function DraftField({ field, text, error, onChange, onBlur }: DraftFieldProps) {
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

function textsOf<Name extends string>(fields: readonly FilterField<Name>[], filter: Filtered<Name>) {
  return Object.fromEntries(fields.map(({ name }) => [name, String(filter[name] ?? '')])) as Texts<Name>;
}

function trimmed<Name extends string>(texts: Texts<Name>) {
  const entries = Object.entries<string>(texts);
  return Object.fromEntries(entries.map(([name, text]) => [name, text.trim()])) as Texts<Name>;
}

function refusalOf<Name extends string>(field: FilterField<Name>, draft: Texts<Name>): string | undefined {
  const text = draft[field.name].trim();
  return text === '' || 'choices' in field ? undefined : field.refusal?.(text);
}
