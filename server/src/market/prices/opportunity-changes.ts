import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, eq, gt, gte, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { positionsOf } from '../opportunities/identity.ts';
import { pagesOfOpportunities, type StoredOpportunity, storedOpportunities } from '../opportunities/store.ts';
import { opportunities } from '../opportunities/table.ts';

/** How far back each read reaches: the clocks of two processes may differ, and a commit may come late. */
const OVERLAP_MS = 10_000;
const ROWS_PER_READ = 50;
/** Positions followed per tick of the event loop: to follow them takes longer than to read them. */
const POSITIONS_PER_SLICE = 500;

/** Which rows were edited at one instant, in a few bytes: an import has hundreds for each, and all are read again. */
const ROWS_OF_INSTANT = sql<string>`count(*) || ' ' || bit_xor(hashtextextended(${opportunities.id}::text, 0))`;

export type OpportunityChanges = {
  /** Rows added or edited since the last read, by whichever process; at the first all active ones of these partitions. */
  read: (onRow: OnRow) => Promise<void>;
  /** Reads all active opportunities of newly owned partitions. */
  readPartitions: (partitions: readonly number[], onRow: OnRow) => Promise<void>;
};

type OnRow = (row: StoredOpportunity) => void;

/** Follows the table by `updated_at`, which edits move and prices do not. `db`: one that is in no hurry. */
export function followOpportunities(
  db: Db,
  now: () => Instant,
  held: () => readonly number[] | null,
): OpportunityChanges {
  let since: Instant | null = null;
  const seen = new Map<Instant, string>();

  const readAll = async (partitions: readonly number[] | null, onRow: OnRow) => {
    if (partitions?.length === 0) return;
    await handOn(pagesOfOpportunities(db, { active: true, partitions }), onRow);
  };
  const readEdited = async (from: Instant, onRow: OnRow) => {
    const found = await db
      .select({ at: opportunities.updatedAt, rows: ROWS_OF_INSTANT })
      .from(opportunities)
      .where(gte(opportunities.updatedAt, from))
      .groupBy(opportunities.updatedAt);
    for (const { at, rows } of found) if (seen.get(at) !== rows) await handOn(pagesOfInstant(db, at), onRow);
    seen.clear();
    for (const { at, rows } of found) seen.set(at, rows);
  };

  return {
    read: async (onRow) => {
      const from = since;
      const next = (now() - OVERLAP_MS) as Instant;
      await (from === null ? readAll(held(), onRow) : readEdited(from, onRow));
      since = next;
    },
    readPartitions: readAll,
  };
}

/** Pages of rows edited at one instant: a single statement may have edited all. */
async function* pagesOfInstant(db: Db, at: Instant): AsyncGenerator<StoredOpportunity[]> {
  let last: string | null = null;
  for (;;) {
    const rows: StoredOpportunity[] = await storedOpportunities(db)
      .where(and(eq(opportunities.updatedAt, at), last === null ? undefined : gt(opportunities.id, last)))
      .orderBy(asc(opportunities.id))
      .limit(ROWS_PER_READ);
    yield rows;
    last = rows.at(-1)?.id ?? null;
    if (rows.length < ROWS_PER_READ) return;
  }
}

async function handOn(pages: AsyncIterable<StoredOpportunity[]>, onRow: OnRow): Promise<void> {
  const slices = sliced(POSITIONS_PER_SLICE);
  for await (const rows of pages) {
    for (const row of rows) {
      onRow(row);
      await slices.spend(positionsOf(row.marketCombinations).length);
    }
  }
}
