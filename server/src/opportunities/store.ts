import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { type AnyColumn, and, asc, eq, inArray, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { activeBatchOf } from '../batches/store.ts';
import { inShares } from '../engines/in-shares.ts';
import { indexOrder, isAlwaysKnown, textInsensitive } from '../world/ordering.ts';
import { opportunities, opportunityCounts } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';
import type { Draft } from './draft.ts';

/** An opportunity as stored. */
export type StoredOpportunity = typeof opportunities.$inferSelect;

export type OpportunityFilter = { active?: boolean | undefined; triggered?: boolean | undefined };

/** Those of a filter that are in these shares; null where all are wanted. */
type SharedFilter = OpportunityFilter & { shares?: readonly number[] | null };

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
} satisfies Record<OpportunitySort, AnyColumn | SQL>;

export type OpportunityPage = { skip: number; limit: number; sortBy: OpportunitySort; sortOrder: SortOrder };

export async function listOpportunities(
  db: Db,
  filter: OpportunityFilter,
  page: OpportunityPage,
): Promise<{ rows: StoredOpportunity[]; count: number }> {
  return { rows: await pageStatement(db, filter, page).execute(), count: await countOpportunities(db, filter) };
}

type PageStatement = { execute: () => Promise<StoredOpportunity[]> };
const firstPages = new WeakMap<Db, Map<string, PageStatement>>();
/** So many first pages are kept as statements by every connection. */
const FIRST_PAGES_MAX = 100;

/**
 * First pages are what is asked for again and again: each is one statement, made and planned once. Its limit stands in
 * it as a number, since a plan that has to suit any limit is never good enough to be kept.
 */
function pageStatement(db: Db, filter: OpportunityFilter, page: OpportunityPage): PageStatement {
  const kept = firstPages.get(db) ?? new Map<string, PageStatement>();
  firstPages.set(db, kept);
  const { skip, limit, sortBy, sortOrder } = page;
  const name = `opportunities_${limit}_by_${sortBy}_${sortOrder}_${filter.active ?? 'any'}_${filter.triggered ?? 'any'}`;
  const known = skip === 0 ? kept.get(name) : undefined;
  if (known !== undefined) return known;
  const made = pageOfOpportunities(db, filter, page);
  if (skip > 0 || kept.size >= FIRST_PAGES_MAX) return made;
  const prepared = made.prepare(name);
  kept.set(name, prepared);
  return prepared;
}

/**
 * The statement that reads a page, each sort from an index. Downwards such an index begins with what is unknown and has
 * to come last: it is read from where it is known first, and from its beginning only where that does not fill the page.
 */
export function pageOfOpportunities(
  db: Db,
  filter: OpportunityFilter,
  { skip, limit, sortBy, sortOrder }: OpportunityPage,
): PageStatement & SQLWrapper & { prepare: (name: string) => PageStatement } {
  const value: AnyColumn | SQL = SORT_COLUMNS[sortBy];
  const order = indexOrder(value, sortOrder, opportunities.id);
  const part = (among: SQL | undefined) =>
    db
      .select()
      .from(opportunities)
      .where(and(among, matching(filter)))
      .orderBy(...order);
  if (sortOrder === 'asc' || isAlwaysKnown(value))
    return part(undefined).limit(asWritten(limit)).offset(asWritten(skip));
  const known = part(isNotNull(value)).limit(asWritten(skip + limit));
  return unionAll(known, part(isNull(value)).limit(asWritten(skip + limit)))
    .limit(asWritten(limit))
    .offset(asWritten(skip));
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

/** Added up from counts that are kept, so that it takes no longer the more there are. */
export async function countOpportunities(db: Db, { active, triggered }: OpportunityFilter): Promise<number> {
  const [counts] = await db
    .select({
      total: summed(opportunityCounts.total),
      active: summed(opportunityCounts.active),
      triggered: summed(opportunityCounts.triggered),
      activeAndTriggered: summed(opportunityCounts.activeAndTriggered),
    })
    .from(opportunityCounts);
  if (counts === undefined) throw new Error('a sum over all rows answers one row');
  const all = share(triggered, counts.triggered, counts.total);
  return share(active, share(triggered, counts.activeAndTriggered, counts.active), all);
}

function summed(column: AnyColumn): SQL<number> {
  return sql`coalesce(sum(${column}), 0)`.mapWith(Number);
}

/** How many of `all` do, do not, or either. */
function share(wanted: boolean | undefined, doing: number, all: number): number {
  if (wanted === undefined) return all;
  return wanted ? doing : all - doing;
}

const PAGE = 500;

/** All of them, oldest first, in pages that end where they began whatever is added or deleted meanwhile. */
export async function* pagesOfOpportunities(db: Db, filter: SharedFilter): AsyncGenerator<StoredOpportunity[]> {
  let last: { createdAt: Instant; id: string } | null = null;
  for (;;) {
    const rows: StoredOpportunity[] = await db
      .select()
      .from(opportunities)
      .where(
        and(
          matching(filter),
          inShares(opportunities.id, filter.shares ?? null),
          last === null ? undefined : after(last),
        ),
      )
      .orderBy(asc(opportunities.createdAt), asc(opportunities.id))
      .limit(PAGE);
    if (rows.length > 0) yield rows;
    last = rows.at(-1) ?? null;
    if (last === null || rows.length < PAGE) return;
  }
}

/** Both by content hash: the ids of what was stored now, and of what stood already. */
export type Insertion = { created: Map<string, string>; existing: Map<string, string> };

/**
 * Stores the drafts whose positions nobody has stored yet, in one statement. Hashes are written in one order, so that
 * two imports of one file cannot block each other. `last` is done at the end of the same transaction.
 */
export async function insertDrafts(
  { db, clock, dice }: InsertWorld,
  drafts: readonly Draft[],
  last: (tx: Db, insertion: Insertion) => Promise<void> = async () => {},
): Promise<Insertion> {
  const rows = drafts.map((draft) => ({ ...draft, id: dice.uuid() }));
  return db.transaction(async (tx) => {
    const insertion: Insertion = { created: new Map(), existing: new Map() };
    for (const { id, contentHash } of await inserted(tx, rows, clock.now())) insertion.created.set(contentHash, id);
    const missing = drafts.filter(({ contentHash }) => !insertion.created.has(contentHash));
    for (const { id, contentHash } of await idsByHash(tx, missing)) insertion.existing.set(contentHash, id);
    await last(tx, insertion);
    return insertion;
  });
}

type InsertWorld = Pick<World, 'db' | 'clock' | 'dice'>;

type Stored = { id: string; contentHash: string };

/** One parameter for all rows: the drivers take longer over thousands of them than the database over the insert. */
async function inserted(tx: Db, rows: readonly (Draft & { id: string })[], now: Instant): Promise<Stored[]> {
  if (rows.length === 0) return [];
  const at = instantToIso(now);
  const answer = await tx.execute(sql`
    insert into ${opportunities} (id, created_at, updated_at, market_combinations, target_price, active, triggered,
      source, source_details, content_hash)
    select id, ${at}::timestamptz, ${at}::timestamptz, "marketCombinations", "targetPrice", active, false,
      source, "sourceDetails", "contentHash"
    from json_to_recordset(${JSON.stringify(rows)}::json) as draft(id uuid, "marketCombinations" jsonb,
      "targetPrice" bigint, active boolean, source text, "sourceDetails" text, "contentHash" text)
    order by "contentHash"
    on conflict (content_hash) do nothing
    returning id, content_hash as "contentHash"`);
  return (answer as unknown as { rows: Stored[] }).rows;
}

async function idsByHash(db: Db, drafts: readonly Draft[]): Promise<Stored[]> {
  if (drafts.length === 0) return [];
  const hashes = JSON.stringify(drafts.map(({ contentHash }) => contentHash));
  return db
    .select({ id: opportunities.id, contentHash: opportunities.contentHash })
    .from(opportunities)
    .where(sql`${opportunities.contentHash} in (select json_array_elements_text(${hashes}::json))`);
}

/**
 * `active_batch`: an active batch still trades on it, and deleting it would orphan that work. `last` is done with the
 * deleted row, at the end of the same transaction.
 */
export async function deleteOpportunity(
  db: Db,
  id: string,
  last: (tx: Db, row: StoredOpportunity) => Promise<void>,
): Promise<'deleted' | 'not_found' | 'active_batch'> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(opportunities).where(eq(opportunities.id, id)).for('update');
    if (!row) return 'not_found';
    if ((await activeBatchOf(tx, id)) !== null) return 'active_batch';
    await tx.delete(opportunities).where(eq(opportunities.id, id));
    await last(tx, row);
    return 'deleted';
  });
}

/** Compared as a pair, which the index on both can seek to. */
function after(last: { createdAt: Instant; id: string }): SQL {
  return sql`(${opportunities.createdAt}, ${opportunities.id}) > (${instantToIso(last.createdAt)}::timestamptz, ${last.id}::uuid)`;
}

function matching(filter: OpportunityFilter): SQL | undefined {
  return and(
    filter.active === undefined ? undefined : eq(opportunities.active, asWritten(filter.active)),
    filter.triggered === undefined ? undefined : eq(opportunities.triggered, asWritten(filter.triggered)),
  );
}

/** Stands in the statement itself and not among its parameters. Drizzle takes any SQL there, but does not say so. */
function asWritten<Value extends number | boolean>(value: Value): Value {
  return sql.raw(String(value)) as unknown as Value;
}
