/** Each time a relation paid, as stored. */
import type { SizeBound } from '@dutchbook/engine/order/choose-size.ts';
import { ONLY_SIMULATED } from '@dutchbook/engine/relation/why-not-taken.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, notInArray, type SQL, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { pricePoints } from '../opportunities/history/table.ts';
import { opportunityPrices } from '../opportunities/table.ts';
import { keepUntilEnd } from './store.ts';
import { relationHits, relations } from './table.ts';

export type StoredHit = typeof relationHits.$inferSelect;
/** What the watcher of the books knows of a hit; the rest is read from what became of its opportunity. */
export type WatchedHit = Omit<StoredHit, 'triggered' | 'refusal' | 'batchId'>;
export type ListedHit = StoredHit & { relationTitle: string; eventTitle: string };

export type HitFilter = {
  relationId?: string | undefined;
  venue?: VenueName | undefined;
  isTaken?: boolean | undefined;
};

/** Terms of a statement about the batches of an opportunity since a moment: whether one was only simulated, and the id of the first that was sent. */
export type BatchesSince = (opportunityId: SQL, since: SQL) => { hasSimulated: SQL; firstSent: SQL };

/** The size of a batch with the clips that followed it, how many those are, and what bounded the last one; null where a person decided on it. */
export type BoughtSize = { size: Shares; clips: number; boundedBy: SizeBound | null };

export type SizesOf = (db: Db, batchIds: readonly string[]) => Promise<ReadonlyMap<string, BoughtSize>>;

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
  batchesSince: BatchesSince,
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
    await tx.execute(readEnds(ids, batchesSince));
  });
}

const { lastAt, endedAt, net, profit, size, obstacle, opportunityId } = getTableColumns(relationHits);
const MOVING = [lastAt, endedAt, net, profit, size, obstacle, opportunityId];

/**
 * The first batch of the opportunity that was sent, whether it triggered, and what refused an order when it did. One that is only
 * simulated has taken nothing.
 */
function readEnds(ids: readonly string[], batchesSince: BatchesSince): SQL {
  const batches = batchesSince(sql`hit.opportunity_id`, sql`hit.first_at`);
  const triggered = sql`(${opportunityPrices.triggered} or exists (
    select from ${pricePoints} where ${pricePoints.opportunityId} = hit.opportunity_id and ${pricePoints.isEdge}
      and ${pricePoints.triggered} and ${pricePoints.at} >= hit.first_at))`;
  return sql`update ${relationHits} hit set
      triggered = hit.triggered or ${triggered},
      refusal = case when ${batches.hasSimulated} then ${ONLY_SIMULATED}
        when ${triggered} then ${opportunityPrices.refusal} else hit.refusal end,
      batch_id = ${batches.firstSent}
    from ${opportunityPrices}
    where ${opportunityPrices.opportunityId} = hit.opportunity_id and ${inArray(sql`hit.id`, [...ids])}`;
}

function matching({ relationId, venue, isTaken }: HitFilter): SQL | undefined {
  return and(
    relationId === undefined ? undefined : eq(relationHits.relationId, relationId),
    venue &&
      sql`${relationHits.relationId} in (select ${relations.id} from ${relations} where ${venueIn(relations.eventId)} = ${venue})`,
    isTaken === undefined ? undefined : isTaken ? isNotNull(relationHits.batchId) : isNull(relationHits.batchId),
  );
}
