/** Each time a relation paid, as stored. */

import type { SizeBound } from '@dutchbook/contract/notes/size-words.ts';
import type { PaidSpan } from '@dutchbook/engine/desk/distance-plot.ts';
import { ONLY_SIMULATED } from '@dutchbook/engine/relation/why-not-taken.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { pricePoints } from '../opportunities/history/table.ts';
import { opportunityPrices } from '../opportunities/table.ts';
import { keepUntilEnd } from './store.ts';
import { relationHits, relations } from './table.ts';

export type StoredHit = typeof relationHits.$inferSelect;
/** The part of a hit that the watcher knows; the rest is read from its opportunity. */
export type WatchedHit = Omit<StoredHit, 'triggered' | 'refusal' | 'batchId'>;
export type ListedHit = StoredHit & { relationTitle: string; eventTitle: string };

export type HitFilter = {
  relationId?: string | undefined;
  venue?: VenueName | undefined;
  isTaken?: boolean | undefined;
};

/**
 * Terms of a statement about the batches of an opportunity since a moment: whether one was only simulated, the id of the first that was
 * sent, and why no more was bought after those before where no gate has said so.
 */
export type BatchesSince = (opportunityId: SQL, since: SQL) => { hasSimulated: SQL; firstSent: SQL; whyNoMore: SQL };

/** The size of a batch with the clips that followed it, how many those are, and what bounded the last one; null where a person decided on it. */
export type BoughtSize = { size: Shares; clips: number; boundedBy: SizeBound | null };

export type SizesOf = (db: Db, batchIds: readonly string[]) => Promise<ReadonlyMap<string, BoughtSize>>;

/** The times that a relation paid since then, oldest first; of more the newest. */
export async function spansOf(db: Db, relationId: string, since: Instant, limit: number): Promise<PaidSpan[]> {
  const { firstAt, endedAt, net, profit } = relationHits;
  const rows = await db
    .select({ firstAt, endedAt, net, profit })
    .from(relationHits)
    .where(and(eq(relationHits.relationId, relationId), or(isNull(endedAt), gte(endedAt, since))))
    .orderBy(desc(firstAt))
    .limit(limit);
  return rows.reverse();
}

/** The newest first. */
export async function listHits(
  db: Db,
  filter: HitFilter,
  page: { skip: number; limit: number },
): Promise<{ rows: ListedHit[]; count: number }> {
  const where = matching(filter);
  const rows = await db
    .select({ ...getTableColumns(relationHits), relationTitle: relations.title, eventTitle: relations.eventTitle })
    .from(relationHits)
    .innerJoin(relations, eq(relations.id, relationHits.relationId))
    .where(where)
    .orderBy(desc(relationHits.firstAt), desc(relationHits.id))
    .offset(page.skip)
    .limit(page.limit);
  return { rows, count: await countWithPage(page, rows.length, () => db.$count(relationHits, where)) };
}

/**
 * Writes what is known of hits now and reads what has become of their opportunities meanwhile: so it is called while one pays and
 * once when it has ended. Hits that `adopted` relations have left open are those of a process that followed them before: they have
 * ended when that looked last. What has been deleted since is passed over.
 */
export async function writeHits(
  db: Db,
  hits: readonly WatchedHit[],
  adopted: readonly string[],
  ends: HitEnds,
): Promise<void> {
  if (hits.length === 0 && adopted.length === 0) return;
  const ids = hits.map(({ id }) => id);
  await db.transaction(async (tx) => {
    const there = await keepUntilEnd(tx, [...new Set(hits.map(({ relationId }) => relationId))]);
    await tx
      .update(relationHits)
      .set({ endedAt: sql`${relationHits.lastAt}` })
      .where(
        and(
          inArray(relationHits.relationId, [...adopted]),
          isNull(relationHits.endedAt),
          notInArray(relationHits.id, ids),
        ),
      );
    const rows = hits.filter(({ relationId }) => there.has(relationId));
    if (rows.length === 0) return;
    await tx.execute(sql`${insertOf(relationHits, rows)} on conflict (id) do update set ${setExcluded(MOVING)}`);
    await tx.execute(readEnds(rows, ends));
  });
}

const { lastAt, endedAt, net, profit, size, obstacle, opportunityId } = getTableColumns(relationHits);
const MOVING = [lastAt, endedAt, net, profit, size, obstacle, opportunityId];

/** Reads why hits ended. `trigger`: which profit triggers and by which prices, as the end of a sentence. */
export type HitEnds = { batchesSince: BatchesSince; trigger: () => string };

/**
 * The first batch of the opportunity that was sent, whether it triggered, and what refused an order when it did, or how near it came.
 * One that is only simulated has taken nothing. Positions that make more, in place of those that were refused, have been refused nothing.
 */
function readEnds(hits: readonly WatchedHit[], { batchesSince, trigger }: HitEnds): SQL {
  const ids = hits.map(({ id }) => id);
  const earliest = hits.reduce((first, { firstAt }) => Math.min(first, firstAt), Number.POSITIVE_INFINITY);
  const batches = batchesSince(sql`hit.opportunity_id`, sql`hit.first_at`);
  const { refusal, profitPercentage, lastError } = opportunityPrices;
  const since = sql`${pricePoints.opportunityId} = hit.opportunity_id and ${pricePoints.at} >= hit.first_at
    and ${gte(pricePoints.at, instantFromMs(earliest))}`;
  const triggered = sql`(${opportunityPrices.triggered} or exists (
    select from ${pricePoints} where ${since} and ${pricePoints.isEdge} and ${pricePoints.triggered}))`;
  const best = sql`greatest(${profitPercentage}, (select max(${pricePoints.profitPercentage}) from ${pricePoints} where ${since}))`;
  const short = sql`case when ${lastError} is not null then 'It could not be priced: ' || ${lastError}
    else ${SHORT}::text || coalesce(to_char(${best} / 1000000.0, 'FM999990.00') || '%', 'no price') || ' at best; ' || ${trigger()}::text || ')' end`;
  // An opportunity that triggered before the hit may be below its trigger when the hit ends.
  const whyNoMore = sql`case when hit.ended_at is not null then ${batches.whyNoMore} end`;
  return sql`update ${relationHits} hit set
      triggered = hit.triggered or ${triggered},
      refusal = case when ${batches.hasSimulated} then ${ONLY_SIMULATED}
        when ${triggered} then coalesce(${refusal}, case when hit.triggered then hit.refusal end, ${whyNoMore})
        when hit.triggered then coalesce(hit.refusal, ${refusal}, ${whyNoMore}) else ${short} end,
      batch_id = ${batches.firstSent}
    from ${opportunityPrices}
    where ${opportunityPrices.opportunityId} = hit.opportunity_id and ${inArray(sql`hit.id`, [...ids])}`;
}

const SHORT = 'Its profit did not reach MIN_PROFIT_TRIGGER_THRESHOLD (';

function matching({ relationId, venue, isTaken }: HitFilter): SQL | undefined {
  return and(
    relationId === undefined ? undefined : eq(relationHits.relationId, relationId),
    venue &&
      sql`${relationHits.relationId} in (select ${relations.id} from ${relations} where ${venueIn(relations.eventId)} = ${venue})`,
    isTaken === undefined ? undefined : isTaken ? isNotNull(relationHits.batchId) : isNull(relationHits.batchId),
  );
}
