/** Stores opportunities that a user adds or discovery finds. */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { inPartitionOf } from '../../platform/engines/division.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { findEvents } from '../search/find-events.ts';
import type { Draft } from './draft.ts';
import { opportunities, opportunityPrices } from './table.ts';

/** Both by content hash: the ids of what was stored now, and of what stood already. */
export type Insertion = { created: Map<string, string>; existing: Map<string, string> };

/**
 * Stores the drafts whose positions are not stored yet, in one statement. Hashes are written in one order, so that
 * two imports of one file cannot block each other. `last` is done at the end of the same transaction.
 */
export async function insertDrafts(
  { db, clock, random }: InsertRuntime,
  drafts: readonly Draft[],
  last: (tx: Db, insertion: Insertion) => Promise<void> = async () => {},
): Promise<Insertion> {
  const keys = await partitionKeys(db, drafts);
  const rows = drafts.map((draft, index) => ({ ...draft, id: inPartitionOf(keys[index] ?? '', random.uuid()) }));
  return db.transaction(async (tx) => {
    const insertion: Insertion = { created: new Map(), existing: new Map() };
    for (const { id, contentHash } of await inserted(tx, rows, clock.now())) insertion.created.set(contentHash, id);
    const missing = drafts.filter(({ contentHash }) => !insertion.created.has(contentHash));
    for (const { id, contentHash } of await idsByHash(tx, missing)) insertion.existing.set(contentHash, id);
    await last(tx, insertion);
    return insertion;
  });
}

/** The event of each draft's first market; the market itself where the catalogue does not have it yet. */
async function partitionKeys(db: Db, drafts: readonly Draft[]): Promise<string[]> {
  const markets = drafts.map(({ marketCombinations: [leg] }) => leg?.markets[0]?.id ?? '');
  const events = await findEvents(db, new Set(markets));
  return markets.map((market) => events.get(market) ?? market);
}

type InsertRuntime = Pick<Runtime, 'db' | 'clock' | 'random'>;

type Stored = { id: string; contentHash: string };

/** One parameter for all rows: the drivers take longer over thousands of them than the database over the insert. */
async function inserted(tx: Db, rows: readonly (Draft & { id: string })[], now: Instant): Promise<Stored[]> {
  if (rows.length === 0) return [];
  const at = instantToIso(now);
  const answer = await tx.execute(sql`
    with stored as (
      insert into ${opportunities} (id, created_at, updated_at, market_combinations, target_price, active, source,
        source_details, content_hash)
      select id, ${at}::timestamptz, ${at}::timestamptz, "marketCombinations", "targetPrice", active, source,
        "sourceDetails", "contentHash"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as draft(id uuid, "marketCombinations" jsonb,
        "targetPrice" bigint, active boolean, source text, "sourceDetails" text, "contentHash" text)
      order by "contentHash"
      on conflict (content_hash) do nothing
      returning id, updated_at, content_hash
    ), unpriced as (
      insert into ${opportunityPrices} (opportunity_id, edited_at) select id, updated_at from stored
    )
    select id, content_hash as "contentHash" from stored`);
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
