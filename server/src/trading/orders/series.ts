/** Opportunities that are bought in clips, as far as the database has them. */
import type { SizeBound as ServedBound } from '@dutchbook/contract/notes/size-words.ts';
import { ONE_AT_A_RISE, type SeriesState } from '@dutchbook/engine/desk/next-clip.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, count, desc, eq, gt, gte, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { opportunityPrices } from '../../market/opportunities/table.ts';
import type { BatchesSince, SizesOf } from '../../market/relations/hits.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from './batch-store.ts';
import { batches, batchOrders, seriesBoundOf } from './table.ts';

/**
 * `placedBefore`: how many batches the opportunity has. `spent`: dollars, fees included, of the buys of the series; it is one of practice
 * where `simulated`. `lastPlacedAt`, `lastEndedAt`, `clipsMax`: of its last clip.
 */
export type StoredSeries = Omit<SeriesState, 'isDisarmedSince'> & {
  opportunityId: string;
  lastPlacedAt: Instant;
  lastEndedAt: Instant | null;
  clipsMax: number;
  seriesId: string;
  simulated: boolean;
  placedBefore: number;
  spent: Usd;
};

/** More than are bought in clips at once. */
const SERIES_MAX = 200;

/** Series of opportunities above their trigger, in these partitions, whose last clip is the newest batch and has ended `since`. */
export async function readSeries(
  db: Db,
  since: Instant,
  partitions: readonly number[] | null,
): Promise<StoredSeries[]> {
  const newer = alias(batches, 'newer');
  const { id, opportunityId, seriesId, clipNumber, createdAt, executionCompletedAt } = batches;
  // Clips of one millisecond are in the order of their numbers.
  const isAfter = sql`(coalesce(${newer.clipNumber}, 0), ${newer.id}) > (coalesce(${clipNumber}, 0), ${id})`;
  const isOvertaken = db
    .select({ one: sql`1` })
    .from(newer)
    .where(
      and(
        eq(newer.opportunityId, opportunityId),
        or(gt(newer.createdAt, createdAt), and(eq(newer.createdAt, createdAt), isAfter)),
      ),
    );
  const aboveTrigger = db
    .select({ one: sql`1` })
    .from(opportunityPrices)
    .where(and(eq(opportunityPrices.opportunityId, opportunityId), opportunityPrices.triggered));
  const found = await selectSeries(db)
    .where(
      and(
        isNotNull(seriesId),
        gte(executionCompletedAt, since),
        inPartitions(opportunityId, partitions),
        // A fall is stored later than it is seen, a rise never.
        sql`exists (${aboveTrigger})`,
        sql`not exists (${isOvertaken})`,
      ),
    )
    .orderBy(createdAt)
    .limit(SERIES_MAX);
  return found.flatMap(storedSeries);
}

/** The series of the opportunity's last batch; null where that is no clip, or there is none. */
export async function readSeriesOf(db: Db, opportunityId: string): Promise<StoredSeries | null> {
  const [last] = await selectSeries(db)
    .where(eq(batches.opportunityId, opportunityId))
    .orderBy(desc(batches.createdAt), sql`${batches.clipNumber} desc nulls last`, desc(batches.id))
    .limit(1);
  return last === undefined ? null : (storedSeries(last)[0] ?? null);
}

/** Clips that hold shares of some positions without the rest of their set, by their numbers. */
export async function unevenClips(db: Db, seriesId: string) {
  const { id, clipNumber, unhedged } = batches;
  const rows = await db
    .select({ id, clipNumber, unhedged })
    .from(batches)
    .where(and(eq(batches.seriesId, seriesId), isNotNull(unhedged)))
    .orderBy(clipNumber, id)
    .limit(SERIES_MAX);
  return rows.map(({ unhedged: held, ...row }) => ({ ...row, worstLoss: held?.worstLoss ?? USD_ZERO }));
}

/** Selects series by their last clips, which the caller gives. */
function selectSeries(db: Db) {
  const clip = alias(batches, 'clip');
  const { opportunityId, seriesId, status, simulated, cancelRequestedAt } = batches;
  const ofSeries = eq(clip.seriesId, seriesId);
  const uneven = db
    .select({ one: sql`1` })
    .from(clip)
    .where(and(ofSeries, isNotNull(clip.unhedged)));
  const spent = db
    .select({ sum: sql`coalesce(sum(${batchOrders.filledCost} + ${batchOrders.fee}), 0)` })
    .from(batchOrders)
    .innerJoin(clip, eq(clip.id, batchOrders.batchId))
    .where(and(ofSeries, eq(batchOrders.side, 'buy')));
  const all = alias(batches, 'every');
  return db
    .select({
      ...{ opportunityId, seriesId, status, simulated, cancelRequestedAt },
      ...{ lastPlacedAt: batches.createdAt, lastEndedAt: batches.executionCompletedAt, settings: batches.settings },
      isUneven: sql<boolean>`exists (${uneven})`,
      clips: numberOf(sql`(${db.select({ n: count() }).from(clip).where(ofSeries)})`),
      placedBefore: numberOf(sql`(${db.select({ n: count() }).from(all).where(eq(all.opportunityId, opportunityId))})`),
      spent: numberOf(sql`(${spent})`),
    })
    .from(batches)
    .$dynamic();
}

type SelectedSeries = Awaited<ReturnType<typeof selectSeries>>[number];

function storedSeries({ seriesId, cancelRequestedAt, spent, settings, ...row }: SelectedSeries): StoredSeries[] {
  return seriesId === null
    ? []
    : [
        {
          ...row,
          seriesId,
          cancelRequested: cancelRequestedAt !== null,
          spent: spent as Usd,
          clipsMax: settings.CLIPS_MAX,
        },
      ];
}

function numberOf(value: SQL): SQL<number> {
  return sql<number>`${value}`.mapWith(Number) as SQL<number>;
}

/** Sizes of these batches, each with the later clips of its series. */
export const sizesOfBatches: SizesOf = async (db, ids) => {
  if (ids.length === 0) return new Map();
  const clip = alias(batches, 'clip');
  const follows = and(eq(clip.seriesId, batches.seriesId), gte(clip.clipNumber, batches.clipNumber));
  const rows = await db
    .select({
      id: batches.id,
      size: sql<Shares>`sum(${clip.orderSize})`.mapWith(Number),
      clips: count(),
      boundedBy: sql<ServedBound | null>`(array_agg(${seriesBoundOf(clip)} order by ${clip.clipNumber} desc))[1]`,
    })
    .from(batches)
    .innerJoin(clip, or(eq(clip.id, batches.id), follows))
    .where(inArray(batches.id, [...ids]))
    .groupBy(batches.id);
  return new Map(rows.map(({ id: batchId, ...bought }) => [batchId, bought]));
};

/** After the last batch of an opportunity that pays still, where no gate has refused more. */
const WHY_NO_MORE = sql`case
  when ${inArray(batches.status, [...ACTIVE_STATUSES])} then 'It was over while a batch of it was still being bought'
  when ${isNotNull(batches.seriesId)} then 'It was over before the next clip of it was bought'
  when ${batches.automatic} then ${ONE_AT_A_RISE}
  else 'A batch of it had been placed by hand, and nothing is added to that automatically' end`;

/** Batches of an opportunity since a moment, as terms of a statement. */
export const batchesSince: BatchesSince = (opportunityId, since) => {
  const those = sql`from ${batches} where ${batches.opportunityId} = ${opportunityId} and ${batches.createdAt} >= ${since}`;
  return {
    hasSimulated: sql`exists (select ${those} and ${batches.simulated})`,
    firstSent: sql`(select ${batches.id} ${those} and not ${batches.simulated} order by ${batches.createdAt} limit 1)`,
    whyNoMore: sql`(select ${WHY_NO_MORE} from ${batches} where ${batches.opportunityId} = ${opportunityId}
      order by ${batches.createdAt} desc limit 1)`,
  };
};
