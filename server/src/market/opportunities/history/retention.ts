/** Ages the price history: thinned after a day, deleted with its day after `HISTORY_DAYS`. */
import { setImmediate } from 'node:timers/promises';
import { type Instant, instantFromMs, instantToIso, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { and, gte, lt, min, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { DAY_MS, dropOldDays, firstKeptDay } from './days.ts';
import { pricePoints } from './table.ts';

const THIN_AFTER_MS = DAY_MS;
/** After thinning an opportunity keeps the first point of each such stretch, and every edge of its trigger. */
const STRETCH_MS = 5 * 60_000;
/** Few enough that a statement holds its locks for a short time only. */
const ROWS_PER_STATEMENT = 1000;

/**
 * Drops the days that are too old, and deletes, in small steps, what is of such days in the partitions that are of no single day;
 * stops early, between two of them, when `signal` is aborted.
 */
export async function dropOldPoints(db: Db, now: Instant, signal: AbortSignal): Promise<void> {
  await dropOldDays(db, now);
  await deleteInSteps(db, lt(pricePoints.at, firstKeptDay(now)), undefined, signal);
}

/**
 * Thins what is older than a day, from the stretch that `from` lies in; null is from the beginning.
 *
 * @returns where to go on next time
 */
export async function thinPoints(db: Db, now: Instant, from: Instant | null, signal: AbortSignal): Promise<Instant> {
  const until = stretchOf(instantFromMs(now - THIN_AFTER_MS));
  let start = await nextStretch(db, from ?? firstKeptDay(now), until);
  while (start !== null) {
    const end = instantFromMs(start + STRETCH_MS);
    await deleteInSteps(db, and(gte(pricePoints.at, start), lt(pricePoints.at, end)), isSpare(start), signal);
    start = await nextStretch(db, end, until);
  }
  return until;
}

/** A point that comes after another of its opportunity since `start`. */
function isSpare(start: Instant): SQL {
  return sql`not ${pricePoints.isEdge} and exists (
      select 1 from ${pricePoints} earlier
      where earlier.opportunity_id = ${pricePoints.opportunityId}
        and earlier.at >= ${instantToIso(start)}::timestamptz and earlier.at < ${pricePoints.at}
    )`;
}

/** `within`: of which time, by which partitions are left out. */
async function deleteInSteps(
  db: Db,
  within: SQL | undefined,
  which: SQL | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const some = db
      .select({ opportunityId: pricePoints.opportunityId, at: pricePoints.at })
      .from(pricePoints)
      .where(and(within, which))
      .limit(ROWS_PER_STATEMENT);
    const gone = await db
      .delete(pricePoints)
      .where(and(within, sql`(${pricePoints.opportunityId}, ${pricePoints.at}) in ${some}`))
      .returning({ at: pricePoints.at });
    if (gone.length < ROWS_PER_STATEMENT) return;
    await setImmediate();
  }
}

/** The first stretch from `from` on that has points and ends by `until`, looked for day by day. */
async function nextStretch(db: Db, from: Instant, until: Instant): Promise<Instant | null> {
  for (let start = from; start < until; start = instantFromMs(startOfUtcDay(start) + DAY_MS)) {
    await setImmediate();
    const end = instantFromMs(Math.min(startOfUtcDay(start) + DAY_MS, until));
    const [first] = await db
      .select({ at: min(pricePoints.at) })
      .from(pricePoints)
      .where(and(gte(pricePoints.at, start), lt(pricePoints.at, end)));
    if (first?.at) return stretchOf(first.at);
  }
  return null;
}

function stretchOf(at: Instant): Instant {
  return instantFromMs(at - (at % STRETCH_MS));
}
