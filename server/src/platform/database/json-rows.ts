import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/** A row by the names of its columns, as the driver reads it or as PostgreSQL writes it with `to_json` or `json_agg`. */
export type JsonRow = Record<string, unknown>;

/** Some columns of a table: what a statement selects, and how its rows are read. */
export type PartOfTable<Row> = { columns: SQL; from: (row: JsonRow) => Row };

/** Reads a row of `table` out of JSON, into what a query of the table itself answers. */
export function fromJsonOf<Table extends PgTable>(table: Table): (row: JsonRow) => Table['$inferSelect'] {
  return partOf(table, Object.keys(getTableColumns(table))).from;
}

export function partOf<Table extends PgTable, Key extends keyof Table['$inferSelect'] & string>(
  table: Table,
  keys: readonly Key[],
): PartOfTable<Pick<Table['$inferSelect'], Key>> {
  const all = getTableColumns(table);
  const columns = keys.flatMap((key) => {
    const column = all[key];
    if (column === undefined) return [];
    const isRead = column.columnType === 'PgCustomColumn' || column.columnType === 'PgBigInt53';
    return [{ key, name: column.name, read: isRead ? (value: unknown) => column.mapFromDriverValue(value) : null }];
  });
  const names = columns.map(({ name }) => sql.identifier(name));
  return {
    columns: sql.join(names, sql`, `),
    from: (row) => {
      const known: Partial<Record<Key, unknown>> = {};
      for (const { key, name, read } of columns) {
        const value = row[name];
        known[key] = value === null || read === null ? value : read(value);
      }
      return known as Pick<Table['$inferSelect'], Key>;
    },
  };
}
