import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { type AnyColumn, asc, type SQL, sql } from 'drizzle-orm';

/** Text that sorts `b` between `A` and `C`. */
export function textInsensitive(column: AnyColumn): SQL {
  return sql`lower(${column})`;
}

/** Unknown values come last whichever way is asked for, and equal ones keep one order from page to page. */
export function orderedBy(value: AnyColumn | SQL, order: SortOrder, id: AnyColumn): SQL[] {
  return [order === 'asc' ? sql`${value} asc nulls last` : sql`${value} desc nulls last`, asc(id)];
}
