import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@dutchbook/units/instant.ts';
import { gte, inArray, sql } from 'drizzle-orm';
import { pagesOfOpportunities, readOpportunities, type StoredOpportunity } from '../../opportunities/store.ts';
import { opportunities } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';

/** How far back each look reaches: the clocks of two processes may differ, and a commit may come late. */
const OVERLAP_MS = 10_000;
const ROWS_PER_READ = 500;
/** To follow a row takes longer than to read it: others are served in between. */
const ROWS_PER_TURN = 50;

/** Which rows were edited at one moment, in a few bytes: an import has hundreds for each, and all are looked at again. */
const ROWS_OF_MOMENT = sql<string>`count(*) || ' ' || bit_xor(hashtextextended(${opportunities.id}::text, 0))`;

export type NewsOfOpportunities = {
  /** Rows added or edited since the last look, by whichever process; at the first look all active ones of these shares. */
  read: (onRows: (rows: StoredOpportunity[]) => void) => Promise<void>;
  /** All active ones of shares that have come. */
  readShares: (shares: readonly number[], onRows: (rows: StoredOpportunity[]) => void) => Promise<void>;
};

/** Follows the table by `updated_at`, which edits move and prices do not. `db`: one that is in no hurry. */
export function followOpportunities(
  db: Db,
  now: () => Instant,
  held: () => readonly number[] | null,
): NewsOfOpportunities {
  let since: Instant | null = null;
  const seen = new Map<Instant, string>();

  const readAll = async (shares: readonly number[] | null, onRows: (rows: StoredOpportunity[]) => void) => {
    if (shares?.length === 0) return;
    for await (const rows of pagesOfOpportunities(db, { active: true, shares })) {
      // At once: tokens of one market that are wanted together share a connection, and so a frame.
      onRows(rows);
      await setImmediate();
    }
  };
  const readEdited = async (from: Instant, onRows: (rows: StoredOpportunity[]) => void) => {
    const found = await db
      .select({ at: opportunities.updatedAt, rows: ROWS_OF_MOMENT })
      .from(opportunities)
      .where(gte(opportunities.updatedAt, from))
      .groupBy(opportunities.updatedAt);
    const changed = found.filter(({ at, rows }) => seen.get(at) !== rows).map(({ at }) => at);
    const ids = changed.length === 0 ? [] : await idsOf(changed);
    for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
      await inTurns(await readOpportunities(db, ids.slice(start, start + ROWS_PER_READ)), onRows);
    }
    seen.clear();
    for (const { at, rows } of found) seen.set(at, rows);
  };
  const idsOf = async (moments: Instant[]): Promise<string[]> => {
    const rows = await db
      .select({ id: opportunities.id })
      .from(opportunities)
      .where(inArray(opportunities.updatedAt, moments));
    return rows.map(({ id }) => id);
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

async function inTurns<Row>(rows: readonly Row[], onRows: (rows: Row[]) => void): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_TURN) {
    onRows(rows.slice(start, start + ROWS_PER_TURN));
    await setImmediate();
  }
}
