import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@dutchbook/units/instant.ts';
import { gte } from 'drizzle-orm';
import { pagesOfOpportunities, readOpportunities, type StoredOpportunity } from '../../opportunities/store.ts';
import { opportunities } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';

/** How far back each look reaches: the clocks of two processes may differ, and a commit may come late. */
const OVERLAP_MS = 10_000;
const ROWS_PER_READ = 500;

export type NewsOfOpportunities = {
  /** Rows added or edited since the last look, by whichever process; at the first look all active ones of these shares. */
  read: (onRows: (rows: StoredOpportunity[]) => void) => Promise<void>;
  /** All active ones of shares that have come. */
  readShares: (shares: readonly number[], onRows: (rows: StoredOpportunity[]) => void) => Promise<void>;
};

/**
 * Follows the table by `updated_at`, which edits move and prices do not. Gives way to others between reads, which the
 * embedded database does not do by itself.
 */
export function followOpportunities(
  db: Db,
  now: () => Instant,
  held: () => readonly number[] | null,
): NewsOfOpportunities {
  let since: Instant | null = null;
  const seen = new Map<string, Instant>();

  const readAll = async (shares: readonly number[] | null, onRows: (rows: StoredOpportunity[]) => void) => {
    if (shares?.length === 0) return;
    for await (const rows of pagesOfOpportunities(db, { active: true, shares })) {
      onRows(rows);
      await setImmediate();
    }
  };
  const readEdited = async (from: Instant, onRows: (rows: StoredOpportunity[]) => void) => {
    const edited = await db
      .select({ id: opportunities.id, updatedAt: opportunities.updatedAt })
      .from(opportunities)
      .where(gte(opportunities.updatedAt, from));
    const ids = edited.filter(({ id, updatedAt }) => seen.get(id) !== updatedAt).map(({ id }) => id);
    for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
      onRows(await readOpportunities(db, ids.slice(start, start + ROWS_PER_READ)));
      await setImmediate();
    }
    seen.clear();
    for (const { id, updatedAt } of edited) seen.set(id, updatedAt);
  };

  return {
    read: async (onRows) => {
      const from = since;
      const next = (now() - OVERLAP_MS) as Instant;
      await (from === null ? readAll(held(), onRows) : readEdited(from, onRows));
      since = next;
    },
    readShares: readAll,
  };
}
