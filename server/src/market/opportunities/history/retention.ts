/** What becomes of the price history as it ages: thinned after a day, gone after `HISTORY_DAYS`. */
import { setImmediate } from 'node:timers/promises';
import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { and, gte, lt, min, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { pricePoints } from './table.ts';

const DAY_MS = 86_400_000;
const THIN_AFTER_MS = DAY_MS;
/** After thinning an opportunity keeps the first point of each such stretch, and every edge of its trigger. */
const STRETCH_MS = 5 * 60_000;
/** Few enough that a statement holds its locks for a short time only. */
const ROWS_PER_STATEMENT = 1000;

/** Deletes what is too old, in small steps; stops early, between two of them, when `signal` is aborted. */
export async function dropOldPoints(db: Db, now: Instant, signal: AbortSignal): Promise<void> {
  const before = instantFromMs(now - HISTORY_DAYS * DAY_MS);
  await deleteInSteps(db, lt(pricePoints.at, before), signal);
}

/**
 * Thins what is older than a day, from the stretch that `from` lies in; null is from the beginning.
 *
 * @returns where to go on next time
 */
export async function thinPoints(db: Db, now: Instant, from: Instant | null, signal: AbortSignal): Promise<Instant> {
  const until = stretchOf(instantFromMs(now - THIN_AFTER_MS));
  let start = await nextStretch(db, from, until);
  while (start !== null) {
    const end = instantFromMs(start + STRETCH_MS);
    await deleteInSteps(db, isSpare(start, end), signal);
    start = await nextStretch(db, end, until);
  }
  return until;
}

/** Points within the stretch that come after another of their opportunity. */
function isSpare(start: Instant, end: Instant): SQL | undefined {
  return and(
    gte(pricePoints.at, start),
    lt(pricePoints.at, end),
    sql`not ${pricePoints.isEdge} and exists (
      select 1 from ${pricePoints} earlier
      where earlier.opportunity_id = ${pricePoints.opportunityId}
        and earlier.at >= ${instantToIso(start)}::timestamptz and earlier.at < ${pricePoints.at}
    )`,
  );
}

async function deleteInSteps(db: Db, where: SQL | undefined, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const some = db
      .select({ opportunityId: pricePoints.opportunityId, at: pricePoints.at })
      .from(pricePoints)
      .where(where)
      .limit(ROWS_PER_STATEMENT);
    const gone = await db
      .delete(pricePoints)
      .where(sql`(${pricePoints.opportunityId}, ${pricePoints.at}) in ${some}`)
      .returning({ at: pricePoints.at });
    if (gone.length < ROWS_PER_STATEMENT) return;
    await setImmediate();
  }
}

/** The first stretch from `from` on that has points and ends by `until`. */
async function nextStretch(db: Db, from: Instant | null, until: Instant): Promise<Instant | null> {
  await setImmediate();
  const [first] = await db
    .select({ at: min(pricePoints.at) })
    .from(pricePoints)
    .where(and(from === null ? undefined : gte(pricePoints.at, from), lt(pricePoints.at, until)));
  return first?.at ? stretchOf(first.at) : null;
}

function stretchOf(at: Instant): Instant {
  return instantFromMs(at - (at % STRETCH_MS));
}
