import { id, type SortOrder } from '@dutchbook/contract/listing.ts';
import * as z from 'zod/mini';
import type { ListName } from './list-settings.ts';

/**
 * Reading the search params of a list: whatever stands in the address, the screen gets something it can show. The router
 * lays what is read over the address, so a value that is refused has to be named, as `undefined`, to be gone.
 */

/** The server looks for no longer text. */
export const FIND_LENGTH_MAX = 100;

export type RawSearch = Record<string, unknown>;

export function pageFrom(value: unknown): number {
  const page = typeof value === 'string' ? Number(value) : value;
  return typeof page === 'number' && Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}

export function flagFrom(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** Reads one of `allowed`. */
export function oneOf<Allowed extends string>(allowed: readonly Allowed[]) {
  return (value: unknown): Allowed | undefined => allowed.find((candidate) => candidate === value);
}

/** A whole id. */
export function idFrom(value: unknown): string | undefined {
  return z.safeDecode(id, value as string).data;
}

/** What is looked for: a text that the server takes. */
export function findFrom(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text.slice(0, FIND_LENGTH_MAX);
}

/** A decimal number in its shortest form, as it is typed. */
export function decimalFrom(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= 1_000_000 ? number : undefined;
}

const sortOrderFrom = oneOf(['asc', 'desc']);

/** What every list has in its address beside its filter. */
export type Listed<Sort extends string = string> = { page: number; sortBy: Sort; sortOrder: SortOrder };

/** How each part of a filter is read. */
type Readers = Record<string, (value: unknown) => unknown>;

export type FilterOf<Filter extends Readers> = { [Name in keyof Filter]?: ReturnType<Filter[Name]> };

/** Reads the state of a list: its filter, and its page and order, which fall back to `defaults`. */
export function searchReader<Filter extends Readers, Sort extends string>(
  filter: Filter,
  sorts: readonly Sort[],
  defaults: Listed<Sort>,
) {
  const sortFrom = oneOf(sorts);
  return (raw: RawSearch): FilterOf<Filter> & Listed<Sort> => {
    const read = Object.entries(filter).map(([name, from]) => [name, from(raw[name])]);
    return {
      page: pageFrom(raw.page),
      ...(Object.fromEntries(read) as FilterOf<Filter>),
      sortBy: sortFrom(raw.sortBy) ?? defaults.sortBy,
      sortOrder: sortOrderFrom(raw.sortOrder) ?? defaults.sortOrder,
    };
  };
}

/** What a list is narrowed to: only what is set. */
export function filterOf<Search extends Listed>({ page, sortBy, sortOrder, ...filter }: Search) {
  return withoutUnset(filter);
}

export function activeFilters(search: Listed): number {
  return Object.keys(filterOf(search)).length;
}

/** Without filters, in the present order. */
export function unfiltered<Search extends Listed>({ sortBy, sortOrder }: Search, from: (raw: RawSearch) => Search) {
  return from({ sortBy, sortOrder });
}

/** Only what is set. */
export function withoutUnset<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}

/** Whether a filter, where it is set, lets `value` through. */
export function isLetThrough<Value>(wanted: Value | undefined, value: Value): boolean {
  return wanted === undefined || wanted === value;
}

/** The list as it was last seen, so that the way back from a row leads to the same page and filters. */
const lastSearches = new Map<ListName, object>();

export function rememberSearch(list: ListName, search: object): void {
  lastSearches.set(list, search);
}

export function lastSearch<Search extends object>(list: ListName): Search | undefined {
  return lastSearches.get(list) as Search | undefined;
}
