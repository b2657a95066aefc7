/** The runs of paper trading, and what ends one and begins the next. */
import type { Run, StartOver } from '@dutchbook/contract/accounts/runs.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type RunEnd, startOvers } from './table.ts';

export type StartOverRow = typeof startOvers.$inferSelect;

/** Null where none is under way. */
export async function openStartOver(db: Db): Promise<StartOverRow | null> {
  const [row = null] = await db.select().from(startOvers).where(isNull(startOvers.endedAt));
  return row;
}

/** Why nothing is armed or moved now: a sentence, or null. */
export async function startOverUnderWay(db: Db): Promise<string | null> {
  return (await openStartOver(db)) === null ? null : 'The account is starting over: wait until the new run has begun.';
}

export async function lastStartOver(db: Db): Promise<StartOverRow | null> {
  const [row = null] = await db.select().from(startOvers).orderBy(desc(startOvers.createdAt)).limit(1);
  return row;
}

/** `since`: when it began; null of the first. `earnedBefore`: what the runs before it have earned. */
export type PresentRun = { since: Instant | null; earnedBefore: Usd };

export async function presentRun(db: Db): Promise<PresentRun> {
  const [last] = await db
    .select({ since: startOvers.endedAt, earnedBefore: startOvers.earnedBefore })
    .from(startOvers)
    .where(eq(startOvers.status, 'done'))
    .orderBy(desc(startOvers.endedAt))
    .limit(1);
  return { since: last?.since ?? null, earnedBefore: last?.earnedBefore ?? USD_ZERO };
}

/** The span of a run, without its end; null where it has no beginning or end. */
export type RunSpan = { from: Instant | null; until: Instant | null };

/** The present run first. */
export async function listRuns(db: Db): Promise<(Run & RunSpan)[]> {
  const ends = await db
    .select({ at: startOvers.endedAt })
    .from(startOvers)
    .where(eq(startOvers.status, 'done'))
    .orderBy(startOvers.endedAt);
  const edges = [null, ...ends.map(({ at }) => at)];
  return edges
    .map((from, place) => {
      const until = edges[place + 1] ?? null;
      return { number: place + 1, began_at: from, ended_at: until, from, until };
    })
    .toReversed();
}

/** Whose end is in columns of its own. */
const IN_COLUMNS: VenueName = 'polymarket';
const NOT_ASKED: RunEnd = { from: null, cameBy: null, leftBy: null };

export function endAt(row: StartOverRow, venue: VenueName): RunEnd {
  if (venue === IN_COLUMNS) return { from: row.fromBlock, cameBy: row.cameBy, leftBy: row.leftBy };
  return row.beside[venue] ?? NOT_ASKED;
}

/** Notes how far the run has ended at a venue. A `from` that is there stays: who led before may have asked meanwhile. */
export async function noteEnd(db: Db, id: string, venue: VenueName, end: RunEnd): Promise<StartOverRow | null> {
  const { fromBlock, beside } = startOvers;
  const { from, cameBy, leftBy } = end;
  if (venue === IN_COLUMNS)
    return await changeStartOver(db, id, 'recorded', {
      ...{ cameBy, leftBy },
      fromBlock: sql<number>`coalesce(${fromBlock}, ${from})`,
    });
  const before = sql`coalesce((${beside} -> ${venue}::text -> 'from')::bigint, ${from}::bigint)`;
  const noted = sql`jsonb_build_object('from', ${before}, 'cameBy', ${cameBy}::text, 'leftBy', ${leftBy}::text)`;
  return await changeStartOver(db, id, 'recorded', {
    beside: sql`${beside} || jsonb_build_object(${venue}::text, ${noted})`,
  });
}

/** @returns the row as it is then; null where it is not in the state `from` */
export async function changeStartOver(
  db: Db,
  id: string,
  from: StartOverRow['status'],
  set: PgUpdateSetSource<typeof startOvers>,
): Promise<StartOverRow | null> {
  const [row = null] = await db
    .update(startOvers)
    .set(set)
    .where(and(eq(startOvers.id, id), eq(startOvers.status, from)))
    .returning();
  return row;
}

/** Whether the run may go on: no venue is known to have ended it. */
export function mayBeGivenUp({ status, cameBy, beside }: StartOverRow): boolean {
  return (
    status === 'recorded' && [cameBy, ...Object.values(beside).map((end) => end.cameBy)].every((by) => by === null)
  );
}

export function presentStartOver(row: StartOverRow): StartOver {
  return {
    id: row.id,
    status: row.status,
    reason: row.reason,
    may_be_given_up: mayBeGivenUp(row) && row.givenUpBy === null,
    cash_usd: row.cash,
    requested_by: row.requestedBy,
    created_at: row.createdAt,
    ended_at: row.endedAt,
  };
}
