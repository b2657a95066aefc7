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

/** `2026-02-28`, where the calendar has that day. */
export function dayFrom(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const midnight = Date.parse(`${value}T00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(value) ? value : undefined;
}

const sortOrderFrom = oneOf(['asc', 'desc']);

/** What every list has in its address beside its filter. */
export type Listed<Sort extends string = string> = {
  page: number;
  sortBy: Sort;
  sortOrder: SortOrder;
  /** For a list that folds: shows every row by itself. */
  each?: true | undefined;
};

export const NEWEST_FIRST = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;
export const LATEST_FIRST = { page: 1, sortBy: 'at', sortOrder: 'desc' } as const;

/** How each part of a filter is read; `filters.ts` says how it is drawn. */
type Filter = Record<string, { from: (value: unknown) => unknown }>;

export type FilterOf<Of extends Filter> = { [Name in keyof Of]?: ReturnType<Of[Name]['from']> };

/** Reads each part of a filter. */
export function filterReader<Of extends Filter>(filter: Of) {
  return (raw: RawSearch) =>
    Object.fromEntries(Object.entries(filter).map(([name, { from }]) => [name, from(raw[name])])) as FilterOf<Of>;
}

/** Reads the state of a list: its filter, and its page and order, which fall back to `defaults`. */
export function searchReader<Of extends Filter, Sort extends string>(
  filter: Of,
  sorts: readonly Sort[],
  defaults: Listed<Sort>,
) {
  const filterFrom = filterReader(filter);
  const sortFrom = oneOf(sorts);
  return (raw: RawSearch): FilterOf<Of> & Listed<Sort> => ({
    page: pageFrom(raw.page),
    ...filterFrom(raw),
    sortBy: sortFrom(raw.sortBy) ?? defaults.sortBy,
    sortOrder: sortOrderFrom(raw.sortOrder) ?? defaults.sortOrder,
    each: raw.each === true || raw.each === 'true' || undefined,
  });
}

/** What a list is narrowed to: only what is set. */
export function filterOf<Search extends object>(search: Search) {
  const { page, sortBy, sortOrder, each, ...filter } = search as Search & Listed;
  return withoutUnset(filter);
}

/** `isActive` is `is_active`. */
type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

type OnTheWire<Search> = { [Name in Exclude<keyof Search, keyof Listed> as Snake<Name>]: Search[Name] };

/** What a list is narrowed to, under the names by which the server takes it. */
export function filterQuery<Search extends object>(search: Search): OnTheWire<Search> {
  const named = Object.entries(filterOf(search)).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(named) as OnTheWire<Search>;
}

export function activeFilters(search: Listed): number {
  return Object.keys(filterOf(search)).length;
}

/** Without filters, in the present order. */
export function unfiltered<Search extends Listed>(
  { sortBy, sortOrder, each }: Search,
  from: (raw: RawSearch) => Search,
) {
  return from({ sortBy, sortOrder, each });
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

export function lastSearch<Search extends object>(list: ListName): Partial<Search> {
  return (lastSearches.get(list) ?? {}) as Partial<Search>;
}
