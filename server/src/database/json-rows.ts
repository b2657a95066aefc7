import { getTableColumns } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/** A row as PostgreSQL writes it with `to_json` or `json_agg`, by the names of its columns. */
export type JsonRow = Record<string, unknown>;

/** Reads a row of `table` out of JSON, into what a query of the table itself answers. */
export function fromJsonOf<Table extends PgTable>(table: Table): (row: JsonRow) => Table['$inferSelect'] {
  const columns = Object.entries(getTableColumns(table));
  return (row) =>
    Object.fromEntries(
      columns.map(([key, column]) => {
        const value = row[column.name];
        return [key, value === null ? null : column.mapFromDriverValue(value)];
      }),
    ) as Table['$inferSelect'];
}
