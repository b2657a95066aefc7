import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../runtime.ts';

/** Statements that write, and calls of functions of the database, which ask nothing of each other. */
export type Writes = { writes: readonly SQLWrapper[]; calls: readonly SQL[] };

/**
 * All of it in one statement, which costs one way to the database instead of one for each. Rows may refer to each other,
 * since that is checked at its end; none of the writes sees what another has written.
 */
export async function writeTogether(tx: Db, writes: Writes['writes'], calls: Writes['calls'] = []): Promise<void> {
  const named = writes.map((write, nth) => sql`${sql.identifier(`written_${nth}`)} as ${write}`);
  await tx.execute(sql`with ${sql.join(named, sql`, `)} select ${sql.join([sql`1`, ...calls], sql`, `)}`);
}
