/** Opportunities that are bought in clips, as far as the database has them. */
import type { SeriesState } from '@dutchbook/engine/desk/next-clip.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { and, count, eq, gt, gte, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { opportunityPrices } from '../../market/opportunities/table.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, batchOrders } from './table.ts';

/**
 * `placedBefore`: how many batches the opportunity has. `spent`: dollars, fees included, of the buys of the series; it is one of practice
 * where `simulated`.
 */
export type StoredSeries = SeriesState & {
  opportunityId: string;
  seriesId: string;
  simulated: boolean;
  placedBefore: number;
  spent: Usd;
};

/** More than are bought in clips at once. */
const SERIES_MAX = 200;

/** Those of opportunities above their trigger whose last clip is the last batch and has ended `since`, of these partitions. */
export async function readSeries(
  db: Db,
  since: Instant,
  partitions: readonly number[] | null,
): Promise<StoredSeries[]> {
  const newer = alias(batches, 'newer');
  const clip = alias(batches, 'clip');
  const { id, opportunityId, seriesId, clipNumber, createdAt, executionCompletedAt, status, simulated } = batches;
  const { cancelRequestedAt } = batches;
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
  const rows = await db
    .select({
      ...{ opportunityId, seriesId, status, simulated, cancelRequestedAt },
      isUneven: sql<boolean>`exists (${uneven})`,
      clips: numberOf(sql`(${db.select({ n: count() }).from(clip).where(ofSeries)})`),
      placedBefore: numberOf(sql`(${db.select({ n: count() }).from(all).where(eq(all.opportunityId, opportunityId))})`),
      spent: numberOf(sql`(${spent})`),
    })
    .from(batches)
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
  return rows.flatMap(({ seriesId: series, cancelRequestedAt: canceledAt, spent: usd, ...row }) =>
    series === null ? [] : [{ ...row, seriesId: series, cancelRequested: canceledAt !== null, spent: usd as Usd }],
  );
}

function numberOf(value: SQL): SQL<number> {
  return sql<number>`${value}`.mapWith(Number) as SQL<number>;
}
