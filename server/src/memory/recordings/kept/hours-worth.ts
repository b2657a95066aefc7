/** In which hours something was traded, or paid that a user follows: what is recorded of these is kept longest. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { opportunityAlerts } from '../../../market/opportunities/alerts/table.ts';
import { pricePoints } from '../../../market/opportunities/history/table.ts';
import { relationFollows, relationHits } from '../../../market/relations/table.ts';
import { openFailureLog } from '../../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { batches, fills } from '../../../trading/orders/table.ts';
import { LEAD_MS } from '../merged-records.ts';
import { HOUR_MS, type HoursWorth, hoursOf, NOTHING_WORTH } from './what-goes.ts';

const EVERY_MS = 600_000;
const DAY_MS = 24 * HOUR_MS;
/** The books behind it that say what an order met. */
const AFTER_MS = 60_000;

export type ReadingHoursWorth = { current: () => HoursWorth; stop: () => Promise<void> };

/** `days`: older recordings go in any case. */
export function startReadingHoursWorth(
  { db, clock, timers, log }: Pick<Runtime, 'db' | 'clock' | 'timers' | 'log'>,
  days: number,
): ReadingHoursWorth {
  const failures = openFailureLog(log, 'warn', 'what recordings are worth not read, tried again');
  let current = NOTHING_WORTH;
  const work = oneAtATime(async () => {
    try {
      current = await readHoursWorth(db, instantFromMs(clock.now() - days * DAY_MS));
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  void work();
  const stop = timers.every(EVERY_MS, work);
  return {
    current: () => current,
    stop: async () => {
      stop();
      await work.ended();
    },
  };
}

export async function readHoursWorth(db: Db, since: Instant): Promise<HoursWorth> {
  const inHours = (at: PgColumn, where: SQL | undefined) =>
    db
      .selectDistinct({ from: hourOf(at, -LEAD_MS), until: hourOf(at, AFTER_MS) })
      .from(at.table)
      .where(where);
  const { createdAt, executionCompletedAt } = batches;
  const traded = [
    ...(await inHours(createdAt, gte(createdAt, since))),
    ...(await inHours(executionCompletedAt, gte(executionCompletedAt, since))),
    ...(await inHours(fills.matchedAt, gte(fills.settledAt, since))),
  ];
  const { opportunityId, at, isEdge, triggered } = pricePoints;
  const withAlerts = db.select({ id: opportunityAlerts.opportunityId }).from(opportunityAlerts);
  const rises = await inHours(at, and(gte(at, since), isEdge, triggered, inArray(opportunityId, withAlerts)));
  const { relationId, firstAt, lastAt } = relationHits;
  const hits = await db
    .selectDistinct({ from: hourOf(firstAt, -LEAD_MS), until: hourOf(lastAt, AFTER_MS) })
    .from(relationHits)
    .innerJoin(relationFollows, eq(relationFollows.relationId, relationId))
    .where(gte(lastAt, since));
  return { traded: hoursOf(traded), watched: hoursOf([...rises, ...hits]) };
}

/** When the hour began in which this was, so many milliseconds later. */
function hourOf(at: PgColumn, later: number): SQL<number> {
  return sql<number>`(floor((extract(epoch from ${at}) * 1000 + ${sql.raw(String(later))}) / ${sql.raw(String(HOUR_MS))})
    * ${sql.raw(String(HOUR_MS))})::float8`;
}
