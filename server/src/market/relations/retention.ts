/** Ages the history of relations: distances are thinned after a day, everything is deleted after `HISTORY_DAYS`. */
import { setImmediate } from 'node:timers/promises';
import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, gte, isNotNull, lt, min, ne, notExists, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/runtime/runtime.ts';
import { opportunities } from '../opportunities/table.ts';
import { relationDistances, relationHits, relations } from './table.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Few enough that a statement holds its locks for a short time only. */
const ROWS_PER_STATEMENT = 1000;

/**
 * Ages the history each time it is called. How far thinning has got is known to this process only: the first time goes
 * through everything. Stops early, between two small steps, when `signal` is aborted.
 */
export function openRelationAging(): (db: Db, now: Instant, signal: AbortSignal) => Promise<void> {
  let thinnedTo: Instant | null = null;
  return async (db, now, signal) => {
    const before = instantFromMs(now - HISTORY_DAYS * DAY_MS);
    await deleteInSteps(db, relationDistances, lt(relationDistances.at, before), signal);
    await deleteInSteps(db, relationHits, lt(relationHits.firstAt, before), signal);
    await deleteInSteps(db, relations, isForgotten(db, before), signal);
    thinnedTo = await thinDistances(db, hourOf(instantFromMs(now - DAY_MS)), thinnedTo, signal);
  };
}

/** Relations that have long ended, but not rejected ones, which must not be proposed again, nor those of opportunities. */
function isForgotten(db: Db, before: Instant): SQL | undefined {
  const ofRelation = db
    .select({ id: opportunities.id })
    .from(opportunities)
    .where(eq(opportunities.relationId, relations.id));
  return and(
    isNotNull(relations.endedAt),
    lt(relations.endedAt, before),
    ne(relations.state, 'rejected'),
    notExists(ofRelation),
  );
}

/** Leaves the nearest distance of each hour. @returns where to go on next time */
async function thinDistances(db: Db, until: Instant, from: Instant | null, signal: AbortSignal): Promise<Instant> {
  const { relationId, at, distance } = relationDistances;
  let next = from;
  for (;;) {
    signal.throwIfAborted();
    const [first] = await db
      .select({ at: min(at) })
      .from(relationDistances)
      .where(and(next === null ? undefined : gte(at, next), lt(at, until)));
    if (!first?.at) return until;
    const start = hourOf(first.at);
    next = instantFromMs(start + HOUR_MS);
    const within = and(gte(at, start), lt(at, next));
    const nearest = db
      .selectDistinctOn([relationId], { relationId, at })
      .from(relationDistances)
      .where(within)
      .orderBy(relationId, distance, at);
    await db.delete(relationDistances).where(and(within, sql`(${relationId}, ${at}) not in ${nearest}`));
    await setImmediate();
  }
}

/** Few rows at a time, until none of these are left. Stops early, between two steps, when `signal` is aborted. */
export async function deleteInSteps(
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const some = db.select({ row: sql`ctid` }).from(table).where(where).limit(ROWS_PER_STATEMENT);
    const gone = await db.delete(table).where(sql`ctid = any(array(${some}))`).returning({ row: sql`1` });
    if (gone.length < ROWS_PER_STATEMENT) return;
    await setImmediate();
  }
}

function hourOf(at: Instant): Instant {
  return instantFromMs(at - (at % HOUR_MS));
}
