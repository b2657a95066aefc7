import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { type AnyColumn, asc, Column, desc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';

/** As much of a text as always fits into an index entry, whatever its characters are. */
const SORTED_CHARACTERS = sql.raw('200');

/** Text that sorts `b` between `A` and `C`, by how it begins. */
export function textInsensitive(column: AnyColumn | SQL<string | null>): SQL {
  return sql`left(lower(${column}), ${SORTED_CHARACTERS})`;
}

/**
 * Unknown values come last whichever way is asked for, and equal ones keep one order from page to page. `nulls last` of the id too:
 * so an index says it that is written `table.id.desc()`, and one that differs sorts all equal values anew.
 */
export function orderedBy(value: AnyColumn | SQL, order: SortOrder, id: AnyColumn): SQL[] {
  if (order === 'asc' || isAlwaysKnown(value)) return indexOrder(value, order, id);
  return [sql`${value} desc nulls last`, sql`${id} desc nulls last`];
}

/** The order in which a plain index on the value and the id is read; downwards it begins with what is unknown. */
export function indexOrder(value: AnyColumn | SQL, order: SortOrder, id: AnyColumn): [value: SQL, id: SQL] {
  return order === 'asc' ? [asc(value), asc(id)] : [desc(value), desc(id)];
}

export type Part = { among?: SQL; order: SQL[] };

/**
 * The two parts of a list by a value that may be unknown, one to be read after the other: the first from an index of the known
 * values alone; a page that reaches the second has passed all of those, or it is most of the table.
 */
export function knownFirst(column: AnyColumn, [value, id]: [value: SQL, id: SQL]): { known: Part; unknown: Part } {
  return {
    known: { among: isNotNull(column), order: [value, id] },
    unknown: { among: isNull(column), order: [id] },
  };
}

/** A column that cannot be null. */
export function isAlwaysKnown(value: AnyColumn | SQL): boolean {
  return value instanceof Column && value.notNull;
}

/** Skipped rows are computed in full: a page behind so many is found by its ids first, and the rest read of its rows alone. */
const DEEP_FROM = 1000;

export function isDeep(skip: number): boolean {
  return skip >= DEEP_FROM;
}

/** Stands in the statement itself and not among its parameters. Drizzle takes any SQL there, but does not say so. */
export function asWritten<Value extends number | boolean>(value: Value): Value {
  return sql.raw(String(value)) as unknown as Value;
}
