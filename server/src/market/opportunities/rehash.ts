/** Identities computed again, after the rule they are computed by has changed. */

import { createHash } from 'node:crypto';
import { NOTHING_NOW } from '@dutchbook/engine/desk/reprice.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { asc, type SQL, sql } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { recordPricePoints } from './history/store.ts';
import { contentHash } from './identity.ts';
import { readOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

/** How many hashes were wrong and how many rows repeat an older one; `deactivated` are the ids of those that were active. */
export type Rehashed = { updated: number; duplicates: number; deactivated: string[] };

/** Hashed per tick of the event loop: each may hold fifty positions. */
const ROWS_PER_PAGE = 100;
const ROWS_PER_STATEMENT = 1000;

/**
 * Computes the content hash of every opportunity anew. Rows that an older rule told apart may turn out to be the same
 * opportunity: the oldest of them gets the hash. The table holds each hash once, so the others get one that takes their
 * own id in too, and with `deactivateDuplicates` they are deactivated. Doing it again changes nothing.
 */
export async function rehashOpportunities(
  runtime: Runtime,
  actor: Actor,
  deactivateDuplicates: boolean,
): Promise<Rehashed> {
  return runtime.db.transaction(async (tx) => {
    // Locks out rows added or edited meanwhile, which would be compared with half of the others; the price writer locks rows in no order.
    await tx.execute(sql`lock table ${opportunities}, ${opportunityPrices} in exclusive mode`);
    const { wrong, duplicates } = await findWrong(tx);
    const now = sql`greatest(${instantToIso(runtime.clock.now())}::timestamptz, updated_at + interval '1 millisecond')`;
    // Two rows may have to exchange their hashes, and at no moment may both have one.
    const wanted = new Set(wrong.map(({ hash }) => hash));
    const inTheWay = wrong.filter(({ stored }) => wanted.has(stored));
    await inChunks(inTheWay, (rows) => tx.execute(setAside(rows)));
    await inChunks(wrong, (rows) => tx.execute(setHashes(rows, now)));
    const deactivated: string[] = [];
    if (deactivateDuplicates) {
      const active = duplicates.filter((row) => row.active).map(({ id }) => id);
      await inChunks(active, (ids) => tx.execute(deactivate(ids, now)));
      await inChunks(active, (ids) => endTriggers(tx, ids, runtime.clock.now()));
      await inChunks(active, (ids) => forgetDollars(tx, ids));
      deactivated.push(...active);
    }
    const outcome = { updated: wrong.length, duplicates: duplicates.length, deactivated };
    await recordAction(tx, runtime, actor, { action: 'opportunities.rehashed', after: outcome });
    return outcome;
  });
}

/** The history remembers when a trigger ended, by whatever. */
async function endTriggers(tx: Db, ids: readonly string[], at: Instant): Promise<void> {
  const ended = await tx
    .update(opportunityPrices)
    .set({ triggered: false })
    .where(sql`${opportunityPrices.opportunityId} in (${idsOf(ids)}) and ${opportunityPrices.triggered}`)
    .returning({ id: opportunityPrices.opportunityId });
  const rows = await readOpportunities(
    tx,
    ended.map(({ id }) => id),
  );
  await recordPricePoints(
    tx,
    rows.map((row) => ({ ...row, lastChecked: at })),
  );
}

async function forgetDollars(tx: Db, ids: readonly string[]): Promise<void> {
  await tx
    .update(opportunityPrices)
    .set(NOTHING_NOW)
    .where(sql`${opportunityPrices.opportunityId} in (${idsOf(ids)})`);
}

type Wrong = { id: string; stored: string; hash: string };
type Duplicate = { id: string; active: boolean };

/** Rows come oldest first, so the first row with a hash is the one that keeps it. */
async function findWrong(tx: Db): Promise<{ wrong: Wrong[]; duplicates: Duplicate[] }> {
  const taken = new Set<string>();
  const wrong: Wrong[] = [];
  const duplicates: Duplicate[] = [];
  for await (const page of pages(tx)) {
    for (const { id, active, marketCombinations, stored } of page) {
      const own = contentHash(marketCombinations);
      const isDuplicate = taken.has(own);
      const hash = isDuplicate ? duplicateHash(own, id) : own;
      taken.add(own);
      if (isDuplicate) duplicates.push({ id, active });
      if (hash !== stored) wrong.push({ id, stored, hash });
    }
  }
  return { wrong, duplicates };
}

/** All rows, oldest first, with no more of each than is looked at: there may be a hundred thousand of them. */
async function* pages(tx: Db) {
  const { id, createdAt, active, marketCombinations, contentHash: stored } = opportunities;
  let last: { createdAt: Instant; id: string } | undefined;
  for (;;) {
    const after = last && sql`(${createdAt}, ${id}) > (${instantToIso(last.createdAt)}::timestamptz, ${last.id}::uuid)`;
    const rows = await tx
      .select({ id, createdAt, active, marketCombinations, stored })
      .from(opportunities)
      .where(after)
      .orderBy(asc(createdAt), asc(id))
      .limit(ROWS_PER_PAGE);
    yield rows;
    last = rows.at(-1);
    if (rows.length < ROWS_PER_PAGE) return;
  }
}

function duplicateHash(hash: string, id: string): string {
  return createHash('sha256').update(`${hash} ${id}`).digest('hex');
}

function setAside(rows: readonly Wrong[]): SQL {
  return sql`update ${opportunities} set content_hash = 'rehashed ' || id where id in (${idsOf(rows.map(({ id }) => id))})`;
}

function setHashes(rows: readonly Wrong[], updatedAt: SQL): SQL {
  return sql`update ${opportunities} set content_hash = v.hash, updated_at = ${updatedAt}
    from json_to_recordset(${JSON.stringify(rows)}::json) as v(id uuid, hash text) where ${opportunities.id} = v.id`;
}

function deactivate(ids: readonly string[], updatedAt: SQL): SQL {
  return sql`update ${opportunities} set active = false, updated_at = ${updatedAt}
    where id in (${idsOf(ids)})`;
}

function idsOf(ids: readonly string[]): SQL {
  return sql`select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json)`;
}

async function inChunks<Item>(items: readonly Item[], work: (chunk: Item[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    await work(items.slice(start, start + ROWS_PER_STATEMENT));
  }
}
