/** What paid and was not bought: hits of relations, and triggers of opportunities that somebody brought. */
import { whyNotTaken } from '@dutchbook/engine/relation/why-not-taken.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { FOUND } from '../opportunities/found.ts';
import { opportunities } from '../opportunities/table.ts';
import { relationHits, relations } from '../relations/table.ts';
import type { Db } from '../runtime.ts';
import { COUNT, total, totalUsd } from './figures.ts';
import { isNamed, type ReportFilter, withinDays } from './filter.ts';
import { firstSentence, reasonOf } from './reasons.ts';
import { missedTriggers } from './table.ts';

/** What was missed for one reason. `reached`: the last step of the funnel that it came to. */
export type Missed = { reached: 'seen' | 'triggered' | 'allowed'; reason: string; count: number; usd: Usd };

/** Of what nobody has placed there is nothing that somebody has, or that was placed by hand. */
export async function readMissed(db: Db, filter: ReportFilter): Promise<Missed[]> {
  if (filter.operator_id !== undefined || filter.automatic === false) return [];
  const [hits, triggers] = await Promise.all([missedHits(db, filter), missedOfOthers(db, filter)]);
  return together([...hits, ...triggers]);
}

async function missedHits(db: Db, filter: ReportFilter): Promise<Missed[]> {
  const { eventId, kind } = relations;
  const { firstAt, endedAt, opportunityId, obstacle, triggered, refusal, profit, batchId } = relationHits;
  // One that pays still may become anything.
  const isOver = or(isNotNull(endedAt), isNotNull(obstacle), isNotNull(opportunityId));
  const same = db
    .select({
      obstacle,
      isStored: sql<boolean>`${opportunityId} is not null`.as('is_stored'),
      triggered,
      refusal,
      ...sumsOf(profit),
    })
    .from(relationHits)
    .innerJoin(relations, eq(relations.id, relationHits.relationId))
    .where(
      and(
        isNull(batchId),
        isOver,
        withinDays(firstAt, filter),
        filter.event_id === undefined ? undefined : eq(eventId, filter.event_id),
        filter.structure === undefined ? undefined : isNamed(kind, filter.structure),
        filter.source === undefined ? undefined : isNamed(sourceOfHit(), filter.source),
      ),
    )
    .groupBy(sql`1`, sql`2`, sql`3`, sql`4`)
    .as('same');
  const rows = await db
    .select({
      obstacle: firstSentence(same.obstacle),
      isStored: same.isStored,
      triggered: same.triggered,
      refusal: firstSentence(same.refusal),
      count: total(same.count),
      usd: totalUsd(same.usd),
    })
    .from(same)
    .groupBy(sql`1`, sql`2`, sql`3`, sql`4`);
  return rows.map(({ obstacle, isStored, triggered, refusal, count, usd }) => {
    const end = { batchId: null, endedAt: instantFromMs(0), opportunityId: isStored ? '' : null };
    const reason = whyNotTaken({ ...end, obstacle, triggered, refusal }) ?? '';
    const stopped = obstacle !== null || !isStored || !triggered;
    const reached = stopped ? 'seen' : refusal === null ? 'allowed' : 'triggered';
    return { reached, reason: reasonOf(reason), count, usd };
  });
}

/** What has been deleted since was found too. */
function sourceOfHit(): SQL {
  const { id, source } = opportunities;
  return sql`coalesce((select ${source} from ${opportunities} where ${id} = ${relationHits.opportunityId}), ${FOUND})`;
}

/** Of the same texts: there are few of them, and to shorten one takes longer than to add up a row. */
function sumsOf(profit: AnyColumn) {
  return { count: COUNT.as('hits'), usd: totalUsd(sql`greatest(${profit}, 0)`).as('usd') };
}

async function missedOfOthers(db: Db, filter: ReportFilter): Promise<Missed[]> {
  // They are of no relation.
  if (filter.structure !== undefined && filter.structure !== '') return [];
  const { at, eventId, source, refusal, profit } = missedTriggers;
  const same = db
    .select({ refusal, ...sumsOf(profit) })
    .from(missedTriggers)
    .where(
      and(
        withinDays(at, filter),
        filter.event_id === undefined ? undefined : eq(eventId, filter.event_id),
        filter.source === undefined ? undefined : isNamed(source, filter.source),
      ),
    )
    .groupBy(refusal)
    .as('same');
  const rows = await db
    .select({ refusal: firstSentence(same.refusal), count: total(same.count), usd: totalUsd(same.usd) })
    .from(same)
    .groupBy(sql`1`);
  const end = { batchId: null, endedAt: instantFromMs(0), opportunityId: '', obstacle: null, triggered: true };
  return rows.map(({ refusal, count, usd }) => {
    const reason = whyNotTaken({ ...end, refusal }) ?? '';
    return { reached: refusal === null ? 'allowed' : 'triggered', reason: reasonOf(reason), count, usd };
  });
}

/** One of each reason, those that cost most first. */
function together(missed: readonly Missed[]): Missed[] {
  const same = Map.groupBy(missed, ({ reached, reason }) => `${reached} ${reason}`);
  return [...same.values()]
    .map((some): Missed => {
      const [{ reached, reason }] = some as [Missed];
      const sum = (of: 'count' | 'usd') => some.reduce((total, each) => total + each[of], 0);
      return { reached, reason, count: sum('count'), usd: sum('usd') as Usd };
    })
    .sort((a, b) => b.usd - a.usd || (a.reason < b.reason ? -1 : 1));
}
