import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { VENUE_NAMES } from '@dutchbook/units/ids.ts';
import { dayFrom, decimalFrom, idFrom, oneOf } from './list-search.ts';

type Look = { flex?: string; placeholder?: string };

/** One part of a filter: how it is read from the address and, with a label, the field in which it is set. */
export type FilterPart = Look & {
  from: (value: unknown) => unknown;
  label?: string;
  type?: 'date';
  inputMode?: 'decimal';
  maxLength?: number;
  /** What is said of a text that cannot be read; without it, every text holds. */
  refused?: string;
  /** What is chosen from, and the words for all of them; a value without `words` is named as a status is. */
  values?: readonly string[];
  all?: string;
  words?: { readonly [value: string]: string };
};

type Worded<Value extends string> = Look & { words?: { readonly [Each in Value]?: string } };

export function choice<Value extends string>(
  label: string,
  all: string,
  values: readonly Value[],
  look: Worded<Value> = {},
) {
  return { ...look, label, all, values, from: oneOf(values) };
}

/** `words`: for both, for true and for false. */
export function flag(label: string, [all, yes, no]: readonly [string, string, string], look: Look = {}) {
  return { ...look, label, all, values: ['true', 'false'], words: { true: yes, false: no }, from: flagFrom };
}

export function decimal(label: string, look: Look = {}) {
  return { ...look, label, from: decimalFrom, inputMode: 'decimal', refused: 'Enter a number' } as const;
}

export function wholeId(label: string, look: Look = {}) {
  return { ...look, label, from: idFrom, refused: 'Enter the whole ID' };
}

export function day(label: string, look: Look = {}) {
  return { ...look, label, from: dayFrom, type: 'date' } as const;
}

/** Shown where there are several venues: see `useFieldsByVenue`. */
export function venue(look: Look = {}) {
  return choice('Venue', 'All venues', VENUE_NAMES, { ...look, words: VENUE_LABELS });
}

function flagFrom(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
