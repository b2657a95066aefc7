import { type Column, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Whether `column` has one of the values of `query`, which are found before anything is looked for by them: else the planner may read
 * all rows in the order of the column, beside few of `query`.
 */
export function isOneOf(column: Column, query: SQLWrapper): SQL {
  return sql`${column} = any(array(${query}))`;
}
