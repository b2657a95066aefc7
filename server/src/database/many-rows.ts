import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';

/**
 * Many rows as one parameter, to be selected from in a statement: the drivers take longer over thousands of parameters
 * than the database over the rows. The rows have the same fields.
 */
export function rowsOf<Table extends PgTable>(table: Table, rows: readonly Partial<Table['$inferInsert']>[]): SQL {
  const columns = columnsIn(table, rows);
  const written = rows.map((row) =>
    Object.fromEntries(
      columns.map(([key, column]) => {
        const value: unknown = row[key] ?? null;
        // What is JSON in the table is JSON here as well, and not a text of it.
        return [column.name, value === null || isJson(column) ? value : column.mapToDriverValue(value)];
      }),
    ),
  );
  return sql`json_populate_recordset(null::${table}, ${JSON.stringify(written)}::json)`;
}

/** What an update from such rows, called `v`, sets: all their fields but the id, which says whose they are. */
export function setOf<Table extends PgTable>(
  table: Table,
  rows: readonly Partial<Table['$inferInsert']>[],
): PgUpdateSetSource<Table> {
  const columns = columnsIn(table, rows).filter(([, { name }]) => name !== 'id');
  const values = columns.map(([key, { name }]) => [key, sql`v.${sql.identifier(name)}`]);
  return Object.fromEntries(values) as PgUpdateSetSource<Table>;
}

/** The statement that inserts rows with the same fields; something may be said after it of what is there already. */
export function insertOf<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]): SQL {
  const names = sql.join(
    columnsIn(table, rows).map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  );
  return sql`insert into ${table} (${names}) select ${names} from ${rowsOf(table, rows)}`;
}

/** What an insert on conflict sets these columns to: what it would have inserted. */
export function setExcluded(columns: readonly PgColumn[]): SQL {
  const values = columns.map(({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`);
  return sql.join(values, sql`, `);
}

/** Columns with a type of their own count by what they are in the database. */
function isJson(column: PgColumn): boolean {
  return column.getSQLType() === 'jsonb' || column.getSQLType() === 'json';
}

function columnsIn<Table extends PgTable>(table: Table, [first]: readonly Partial<Table['$inferInsert']>[]) {
  const columns = Object.entries(getTableColumns(table)) as [keyof Table['$inferInsert'], PgColumn][];
  return columns.filter(([key]) => first?.[key] !== undefined);
}
