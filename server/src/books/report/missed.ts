/** What paid and was not bought: hits of relations, and triggers of opportunities that a user added. */
import type { MISSED_STEPS } from '@dutchbook/contract/report.ts';
import { type HitEnd, NOT_ASKED, whyNotTaken } from '@dutchbook/engine/relation/why-not-taken.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { FOUND } from '../../market/opportunities/found.ts';
import { opportunities } from '../../market/opportunities/table.ts';
import { missedTriggers } from '../../market/prices/table.ts';
import { isOfferedByAnother } from '../../market/relations/offered-by-another.ts';
import { relationHits, relations } from '../../market/relations/table.ts';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { COUNT, total, totalUsd } from './figures.ts';
import { isNamed, type ReportFilter, withinDays } from './filter.ts';
import { firstSentence, forAll, neededSetting, reasonOf } from './reasons.ts';

/** What was missed for one reason; see the funnel's reply. */
export type Missed = { reached: Reached; reason: string; example: string | null; count: number; usd: Usd };

type Reached = (typeof MISSED_STEPS)[number];

export async function readMissed(db: Db, filter: ReportFilter): Promise<Missed[]> {
  return together(await readSentences(missedRows(db, filter), db));
}

/** One by one, with the reason as a whole in `why`. The figures of the report and the list behind them are of the same rows. */
export function missedRows(db: Db, filter: ReportFilter) {
  return unionAll(missedHits(db, filter), missedOfOthers(db, filter)).as('missed');
}

export type MissedRows = ReturnType<typeof missedRows>;

/** Groups by equal texts first: there are few, and shortening a text takes longer than adding up a row. */
export async function readSentences(missed: MissedRows, db: Db): Promise<Sentence[]> {
  const { why, reached } = missed;
  const most = sql<number>`max(${missed.usd})`.mapWith(Number);
  const same = db
    .select({
      ...{ why, reached, count: COUNT.as('entries'), usd: totalUsd(missed.usd).as('total_usd') },
      most: most.as('most_usd'),
      needed: neededSetting(missed.why).as('needed'),
    })
    .from(missed)
    .groupBy(why, reached)
    .as('same');
  const rows = await db
    .select({
      sentence: firstSentence(same.why),
      reached: same.reached,
      count: total(same.count),
      usd: totalUsd(same.usd),
      most: sql<number>`max(${same.most})`.mapWith(Number),
      needed: sql<number>`max(${same.needed})`.mapWith(Number),
      whole: sql<string>`(array_agg(${same.why} order by ${same.most} desc, ${same.why}))[1]`,
    })
    .from(same)
    .groupBy(sql`1`, sql`2`);
  return rows.map((row) => ({ ...row, reason: reasonOf(row.sentence) }));
}

/** Reasons that differ in digits alone. `whole`: the text of the dearest, which would have made `most` micro-dollars; `needed`: the most dollars that one of them asks a setting for. */
type Sentence = Omit<Missed, 'example'> & { sentence: string; whole: string; most: number; needed: number };

function missedHits(db: Db, filter: ReportFilter) {
  const { id, firstAt, endedAt, relationId, opportunityId, obstacle, triggered, refusal, profit, size } = relationHits;
  const { eventId, eventTitle, kind, id: ofRelation } = relations;
  const stopped = sql`${obstacle} is not null or ${opportunityId} is null or not ${triggered}`;
  const short = sql`case when ${opportunityId} is null then ${NOT_STORED}::text
    when not ${triggered} then coalesce(${refusal}, ${NOT_TRIGGERED}::text) end`;
  // One that pays still may become anything.
  const isOver = or(isNotNull(endedAt), isNotNull(obstacle), and(triggered, isNotNull(refusal)));
  return db
    .select({
      id,
      at: firstAt,
      subject: eventTitle,
      eventId,
      why: sql<string>`coalesce(${obstacle}, ${short}, ${refusal}, ${NOT_KEPT}::text)`.as('why'),
      reached:
        sql<Reached>`case when ${stopped} then 'seen' else ${reachedBy(sql`coalesce(${refusal}, ${NOT_KEPT})`)} end`.as(
          'reached',
        ),
      usd: gainOf(profit),
      size: sizeOf(size),
      relationId: sql<string | null>`${relationId}`.as('relation_id'),
      opportunityId,
    })
    .from(relationHits)
    .innerJoin(relations, eq(ofRelation, relationId))
    .where(
      and(
        isOfNobody(filter),
        isNull(relationHits.batchId),
        isOver,
        sql`not ${isOfferedByAnother()}`,
        withinDays(firstAt, filter),
        filter.event_id === undefined ? undefined : eq(eventId, filter.event_id),
        filter.venue === undefined ? undefined : eq(venueIn(eventId), filter.venue),
        filter.structure === undefined ? undefined : isNamed(kind, filter.structure),
        filter.source === undefined ? undefined : isNamed(sourceOfHit(), filter.source),
      ),
    );
}

function missedOfOthers(db: Db, filter: ReportFilter) {
  const { id, at, eventId, eventTitle, source, refusal, profit, size, opportunityId } = missedTriggers;
  return db
    .select({
      id,
      at,
      subject: sql<string>`coalesce(${eventTitle}, ${eventId})`.as('subject'),
      eventId,
      why: sql<string>`coalesce(${refusal}, ${NOT_ASKED}::text)`.as('why'),
      reached: sql<Reached>`${reachedBy(sql`coalesce(${refusal}, ${NOT_ASKED})`)}`.as('reached'),
      usd: gainOf(profit),
      size: sizeOf(size),
      relationId: sql<string | null>`null::uuid`.as('relation_id'),
      opportunityId: sql<string | null>`${opportunityId}`.as('opportunity_id'),
    })
    .from(missedTriggers)
    .where(
      and(
        isOfNobody(filter),
        // They are of no relation.
        filter.structure === undefined || filter.structure === '' ? undefined : sql`false`,
        withinDays(at, filter),
        filter.event_id === undefined ? undefined : eq(eventId, filter.event_id),
        filter.venue === undefined ? undefined : eq(venueIn(eventId), filter.venue),
        filter.source === undefined ? undefined : isNamed(source, filter.source),
      ),
    );
}

/** What was not placed is neither held nor placed by hand. */
function isOfNobody({ operator_id: operatorId, automatic }: ReportFilter): SQL | undefined {
  return operatorId === undefined && automatic !== false ? undefined : sql`false`;
}

/** How `whyNotTaken` says what is no text of the row, in the order in which it says them. */
const ALLOWED: HitEnd = {
  ...{ endedAt: instantFromMs(0), batchId: null, obstacle: null, opportunityId: '', triggered: true, refusal: null },
};
const NOT_STORED = whyNotTaken({ ...ALLOWED, opportunityId: null });
const NOT_TRIGGERED = whyNotTaken({ ...ALLOWED, triggered: false });
const NOT_KEPT = whyNotTaken(ALLOWED);

/** Which step a triggered one reached, by its refusal. */
function reachedBy(refusal: SQL): SQL {
  return sql`case when ${refusal} = ${NOT_ASKED}::text then 'allowed' else 'triggered' end`;
}

function gainOf(profit: AnyColumn): SQL.Aliased<Usd> {
  return sql<Usd>`greatest(${profit}, 0)`.mapWith(Number).as('usd') as SQL.Aliased<Usd>;
}

function sizeOf(size: AnyColumn): SQL.Aliased<Shares | null> {
  return sql`${size}`.mapWith(missedTriggers.size).as('size') as SQL.Aliased<Shares | null>;
}

/** What has been deleted since was found too. */
function sourceOfHit(): SQL {
  const { id, source } = opportunities;
  return sql`coalesce((select ${source} from ${opportunities} where ${id} = ${relationHits.opportunityId}), ${FOUND})`;
}

/** One of each reason, those that cost most first. */
function together(missed: readonly Sentence[]): Missed[] {
  const same = Map.groupBy(missed, ({ reached, reason }) => `${reached} ${reason}`);
  return [...same.values()]
    .map((some): Missed => {
      const [dearest] = some.toSorted((a, b) => b.most - a.most) as [Sentence];
      const { reached, reason, whole } = dearest;
      const sum = (of: 'count' | 'usd') => some.reduce((total, each) => total + each[of], 0);
      const count = sum('count');
      const needed = Math.max(...some.map((each) => each.needed));
      const example = whole.replace(/\.$/, '') === reason ? null : forAll(whole, needed, count);
      return { reached, reason, example, count, usd: sum('usd') as Usd };
    })
    .sort((a, b) => b.usd - a.usd || (a.reason < b.reason ? -1 : 1));
}
