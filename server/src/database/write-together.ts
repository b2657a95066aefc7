import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Statements that write, and calls of functions of the database, which ask nothing of each other. */
export type Writes = { writes: readonly SQLWrapper[]; calls: readonly SQL[] };

/**
 * All of it as one statement. Rows may refer to each other, since that is checked at its end; none of the writes sees what
 * another has written.
 */
export function together(writes: Writes['writes'], calls: Writes['calls'] = []): SQL {
  const named = writes.map((write, nth) => sql`${sql.identifier(`written_${nth}`)} as (${write.getSQL()})`);
  return sql`with ${sql.join(named, sql`, `)} select ${sql.join([sql`1`, ...calls], sql`, `)}`;
}
