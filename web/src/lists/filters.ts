import { statusWords } from '../ui/status-badge.tsx';
import { dayFrom, decimalFrom, idFrom, oneOf } from './list-search.ts';

export type Choice = { value: string; label: string };

type Look = { flex?: string; placeholder?: string };

/** The field in which one part of a filter is set: one of several `choices`, or a text. */
type Field = Look & { label: string } & (
    | { choices: readonly Choice[] }
    | {
        type?: 'date';
        inputMode?: 'decimal';
        maxLength?: number;
        /** Why a text cannot hold; an empty one always can. */
        refusal?: (text: string) => string | undefined;
      }
  );

export type FilterField<Name extends string> = Field & { name: Name };

/** What holds of each field. */
export type Filtered<Name extends string> = { [Each in Name]?: unknown };

/** The fields of a filter, in the order of `names`, else in its own; a part without a label is set by links alone. */
export function fieldsOf<Name extends string>(filter: Record<Name, Part>, names?: readonly Name[]) {
  const parts = names?.map((name) => [name, filter[name]] as const) ?? (Object.entries(filter) as [Name, Part][]);
  return parts.flatMap(([name, { from, ...field }]): FilterField<Name>[] =>
    'label' in field ? [{ ...(field as Field), name }] : [],
  );
}

type Part = { from: unknown } & Partial<Field>;

type ChoiceLook<Value extends string> = Look & { words?: { [Each in Value]?: string } };

/** All of them or one of `values`, in `words` of their own or in those of their status. */
export function choice<Value extends string>(
  label: string,
  all: string,
  values: readonly Value[],
  { words, ...look }: ChoiceLook<Value> = {},
) {
  const named = values.map((value) => ({ value, label: words?.[value] ?? statusWords(value) }));
  return { ...look, label, from: oneOf(values), choices: [{ value: '', label: all }, ...named] };
}

/** `words`: for both, for true and for false. */
export function flag(label: string, words: readonly [string, string, string], look: Look = {}) {
  const choices = ['', 'true', 'false'].map((value, index) => ({ value, label: words[index] ?? value }));
  return { ...look, label, from: flagFrom, choices };
}

export function decimal(label: string, look: Look = {}) {
  const refusal = (text: string) => (decimalFrom(text) === undefined ? 'Enter a number' : undefined);
  return { ...look, label, from: decimalFrom, inputMode: 'decimal', refusal } as const;
}

export function wholeId(label: string, look: Look = {}) {
  return { ...look, label, from: idFrom, refusal: refusePartOfId };
}

export function day(label: string, look: Look = {}) {
  return { ...look, label, from: dayFrom, type: 'date' } as const;
}

function refusePartOfId(text: string): string | undefined {
  return idFrom(text) === undefined ? 'Enter the whole ID' : undefined;
}

function flagFrom(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
