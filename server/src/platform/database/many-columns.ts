import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * As `insertOf`, for very many rows without JSON in them: an array for each column takes two thirds of what an object for each row
 * takes, here and in the database.
 */
export function insertColumnsOf<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]): SQL {
  const [first] = rows as readonly Record<string, unknown>[];
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => first?.[key] !== undefined);
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const names = list(columns.map(([, { name }]) => sql`${sql.identifier(name)}`));
  const arrays = columns.map(([key, column]) => {
    const elements = (rows as readonly Record<string, unknown>[]).map((row) => {
      const value = row[key] ?? null;
      return value === null ? 'null' : elementOf(column.mapToDriverValue(value));
    });
    return sql`${`{${elements.join()}}`}::${sql.raw(column.getSQLType())}[]`;
  });
  return sql`insert into ${table} (${names}) select * from unnest(${list(arrays)})`;
}

function elementOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`;
}
