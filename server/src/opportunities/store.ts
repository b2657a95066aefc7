import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, count, eq, gt, inArray, or, type SQL } from 'drizzle-orm';
import { activeBatchOf } from '../batches/store.ts';
import { orderedBy, textInsensitive } from '../world/ordering.ts';
import { opportunities } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';
import type { Draft } from './draft.ts';

/** An opportunity as stored. */
export type StoredOpportunity = typeof opportunities.$inferSelect;

export type OpportunityFilter = { active?: boolean | undefined; triggered?: boolean | undefined };

type OpportunitySort = (typeof OPPORTUNITY_SORTS)[number];

const SORT_COLUMNS = {
  id: opportunities.id,
  created_at: opportunities.createdAt,
  updated_at: opportunities.updatedAt,
  target_price: opportunities.targetPrice,
  current_price: opportunities.currentPrice,
  profit_percentage: opportunities.profitPercentage,
  fees_per_set: opportunities.feesPerSet,
  active: opportunities.active,
  triggered: opportunities.triggered,
  last_checked: opportunities.lastChecked,
  last_error: textInsensitive(opportunities.lastError),
  error_count: opportunities.errorCount,
  source: textInsensitive(opportunities.source),
  source_details: textInsensitive(opportunities.sourceDetails),
  content_hash: opportunities.contentHash,
} satisfies Record<OpportunitySort, unknown>;

export async function listOpportunities(
  db: Db,
  filter: OpportunityFilter,
  page: { skip: number; limit: number; sortBy: OpportunitySort; sortOrder: SortOrder },
): Promise<{ rows: StoredOpportunity[]; count: number }> {
  const where = matching(filter);
  const rows = await db
    .select()
    .from(opportunities)
    .where(where)
    .orderBy(...orderedBy(SORT_COLUMNS[page.sortBy], page.sortOrder, opportunities.id))
    .offset(page.skip)
    .limit(page.limit);
  const [total] = await db.select({ count: count() }).from(opportunities).where(where);
  return { rows, count: total?.count ?? 0 };
}

export async function readOpportunity(db: Db, id: string): Promise<StoredOpportunity | null> {
  const [row] = await db.select().from(opportunities).where(eq(opportunities.id, id));
  return row ?? null;
}

/** Those of the ids that exist, in no particular order. */
export async function readOpportunities(db: Db, ids: readonly string[]): Promise<StoredOpportunity[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(opportunities)
    .where(inArray(opportunities.id, [...ids]));
}

export async function countOpportunities(db: Db, filter: OpportunityFilter): Promise<number> {
  const [total] = await db.select({ count: count() }).from(opportunities).where(matching(filter));
  return total?.count ?? 0;
}

const PAGE = 500;

/** All of them, oldest first, in pages that end where they began whatever is added or deleted meanwhile. */
export async function* pagesOfOpportunities(db: Db, filter: OpportunityFilter): AsyncGenerator<StoredOpportunity[]> {
  let last: { createdAt: Instant; id: string } | null = null;
  for (;;) {
    const rows: StoredOpportunity[] = await db
      .select()
      .from(opportunities)
      .where(and(matching(filter), last === null ? undefined : after(last)))
      .orderBy(asc(opportunities.createdAt), asc(opportunities.id))
      .limit(PAGE);
    if (rows.length > 0) yield rows;
    last = rows.at(-1) ?? null;
    if (last === null || rows.length < PAGE) return;
  }
}

export type Insertion = { created: StoredOpportunity[]; existing: Map<string, string> };

/**
 * Stores the drafts whose positions nobody has stored yet. `existing` maps the content hashes of the others to the id
 * under which they stand. Hashes are written in one order, so that two imports of one file cannot block each other.
 */
export async function insertDrafts(world: World, drafts: readonly Draft[]): Promise<Insertion> {
  const ordered = [...drafts].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1));
  const now = world.clock.now();
  const rows = ordered.map((draft) => ({
    ...draft,
    id: world.dice.uuid(),
    createdAt: now,
    updatedAt: now,
    triggered: false,
  }));
  if (rows.length === 0) return { created: [], existing: new Map() };
  return world.db.transaction(async (tx) => {
    const created = await tx
      .insert(opportunities)
      .values(rows)
      .onConflictDoNothing({ target: opportunities.contentHash })
      .returning();
    const isNew = new Set(created.map((row) => row.contentHash));
    const others = ordered.map((draft) => draft.contentHash).filter((hash) => !isNew.has(hash));
    return { created, existing: await idsByHash(tx, others) };
  });
}

/** `active_batch`: an active batch still trades on it, and deleting it would orphan that work. */
export async function deleteOpportunity(db: Db, id: string): Promise<'deleted' | 'not_found' | 'active_batch'> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ id: opportunities.id })
      .from(opportunities)
      .where(eq(opportunities.id, id))
      .for('update');
    if (!row) return 'not_found';
    if ((await activeBatchOf(tx, id)) !== null) return 'active_batch';
    await tx.delete(opportunities).where(eq(opportunities.id, id));
    return 'deleted';
  });
}

async function idsByHash(db: Db, hashes: readonly string[]): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .select({ id: opportunities.id, contentHash: opportunities.contentHash })
    .from(opportunities)
    .where(inArray(opportunities.contentHash, [...hashes]));
  return new Map(rows.map(({ id, contentHash }) => [contentHash, id]));
}

function after(last: { createdAt: Instant; id: string }): SQL | undefined {
  return or(
    gt(opportunities.createdAt, last.createdAt),
    and(eq(opportunities.createdAt, last.createdAt), gt(opportunities.id, last.id)),
  );
}

function matching(filter: OpportunityFilter): SQL | undefined {
  return and(
    filter.active === undefined ? undefined : eq(opportunities.active, filter.active),
    filter.triggered === undefined ? undefined : eq(opportunities.triggered, filter.triggered),
  );
}
