/** Profit by day, exposure by event and month, and execution by size and hour. */
import type { ReportDay, readExecutionQuality, readExposure } from '@dutchbook/contract/report.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { and, asc, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type Band, HOUR, hourBand, SIZE_BAND, sizeBand } from './bands.ts';
import { COUNT, PROFIT_PARTS, SLIPPAGE, SLIPPAGE_PARTS, total, totalShares, totalUsd } from './figures.ts';
import { IS_OPEN, matching, type ReportFilter, realisedWithin } from './filter.ts';
import { batchResults, cashDays } from './table.ts';

const EVENTS_MAX = 100;

/** Batches that have locked nothing in yet are left out. */
export async function readLockDays(db: Db, filter: ReportFilter): Promise<ReportDay[]> {
  const { lockDay } = batchResults;
  return await daysOf(db, sql`${lockDay}::text`, and(matching(filter), isNotNull(lockDay)));
}

/** All batches, by the day on which they triggered: it adds up to what they took and brought so far. */
export async function readTriggerDays(db: Db, filter: ReportFilter): Promise<ReportDay[]> {
  const day = sql<string>`to_char(${batchResults.triggeredAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  return await daysOf(db, day, matching(filter));
}

async function daysOf(db: Db, day: SQL<string>, which: SQL | undefined): Promise<ReportDay[]> {
  return await db
    .select({
      day,
      batches: COUNT,
      ...PROFIT_PARTS,
      fees_usd: totalUsd(batchResults.fees),
      slippage_usd: totalUsd(SLIPPAGE),
    })
    .from(batchResults)
    .where(which)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
}

/** What became cash on each day, of batches that still hold something too: it adds up to all that is paid. */
export async function readCashDays(db: Db, filter: ReportFilter): Promise<ReportDay[]> {
  const { day, paid, fees, movedBeforeSend, movedInFlight, sizeAdded } = cashDays;
  const days = await db
    .select({
      day: sql<string>`${day}::text`,
      batches: COUNT,
      paid_usd: totalUsd(paid),
      fees_usd: totalUsd(fees),
      slippage_usd: totalUsd(sql`${movedBeforeSend} + ${movedInFlight} + ${sizeAdded}`),
    })
    .from(cashDays)
    .innerJoin(batchResults, eq(batchResults.batchId, cashDays.batchId))
    .where(realisedWithin(filter))
    .groupBy(day)
    .orderBy(asc(day));
  return days.map((each) => ({ ...each, locked_usd: USD_ZERO, at_risk_usd: USD_ZERO }));
}

/** Exposure that is not cash again: the largest events first, and the months in order. */
export async function readExposureOf(db: Db, filter: ReportFilter): Promise<z.output<typeof readExposure.reply>> {
  const sums = {
    batches: COUNT,
    capital_usd: totalUsd(batchResults.locked),
    locked_usd: totalUsd(batchResults.lockedProfit),
    at_risk_usd: totalUsd(batchResults.atRisk),
  };
  const { eventId, eventTitle, releaseMonth, locked } = batchResults;
  const open = and(matching(filter), IS_OPEN);
  const { events, months } = await inOneSnapshot(db, async (tx) => ({
    events: await tx
      .select({ key: eventId, title: sql<string>`max(${eventTitle})`, ...sums })
      .from(batchResults)
      .where(open)
      .groupBy(eventId)
      .orderBy(desc(sql`sum(${locked})`), asc(eventId))
      .limit(EVENTS_MAX),
    months: await tx
      .select({ key: releaseMonth, ...sums })
      .from(batchResults)
      .where(open)
      .groupBy(releaseMonth)
      .orderBy(asc(releaseMonth)),
  }));
  return { events, months: months.map((month) => ({ ...month, title: month.key ?? 'Not known' })) };
}

type Bands = z.output<typeof readExecutionQuality.reply>['sizes'];

/** Reads slippage and fills by band and hour in one pass, and adds up both. */
export async function readBands(db: Db, filter: ReportFilter): Promise<{ sizes: Bands; hours: Bands }> {
  const rows = await db
    .select({ size: SIZE_BAND.mapWith(Number), hour: HOUR.mapWith(Number), ...BAND_SUMS })
    .from(batchResults)
    .where(matching(filter))
    .groupBy(sql`1`, sql`2`);
  return {
    sizes: bandsBy(rows, ({ size }) => size, sizeBand),
    hours: bandsBy(rows, ({ hour }) => hour, hourBand),
  };
}

const BAND_SUMS = {
  legs: total(batchResults.legs),
  filled_legs: total(batchResults.filledLegs),
  ordered: totalShares(batchResults.orderedShares),
  filled: totalShares(batchResults.filledShares),
  ...SLIPPAGE_PARTS,
};
const BAND_SUM_NAMES = Object.keys(BAND_SUMS) as (keyof typeof BAND_SUMS)[];

type BandSums = Omit<Bands[number], keyof Band>;

function bandsBy<Row extends BandSums>(
  rows: readonly Row[],
  nthOf: (row: Row) => number,
  bandOf: (nth: number) => Band,
): Bands {
  const byBand = [...Map.groupBy(rows, nthOf)].toSorted(([a], [b]) => a - b);
  return byBand.map(([nth, inBand]) => ({ ...bandOf(nth), ...sumsOf(inBand) }));
}

function sumsOf(rows: readonly BandSums[]): BandSums {
  const sums = BAND_SUM_NAMES.map((name) => [name, rows.reduce((total, row) => total + row[name], 0)]);
  return Object.fromEntries(sums) as BandSums;
}
