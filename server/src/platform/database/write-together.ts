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

/**
 * A row in the `from` of a statement with which its transaction does not wait for the disk when it commits: for what may be lost if
 * the database server dies, because it is done again, or what commits later and does wait takes it along.
 */
export const WITHOUT_WAITING = sql.raw("(select set_config('synchronous_commit', 'off', true)) as disk");
