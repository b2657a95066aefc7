/** What is behind the first steps of the funnel, and behind each reason that something was missed by. */
import { type listMissed, type MISSED_SORTS, MISSED_STEPS, type MissedEntry } from '@dutchbook/contract/report.ts';
import { type AnyColumn, and, inArray, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { orderedBy, textInsensitive } from '../../platform/database/ordering.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { InRun } from './filter.ts';
import { type MissedRows, missedRows, readSentences } from './missed.ts';
import { firstSentence } from './reasons.ts';

type Query = z.output<typeof listMissed.query> & InRun;

/** A reason of the funnel stands for many sentences, which differ in how many digits their figures have. */
export async function listMissedOf(db: Db, query: Query): Promise<{ data: MissedEntry[]; count: number }> {
  const { reached, came_to: cameTo = 'seen', reason, skip, limit } = query;
  const missed = missedRows(db, query);
  const steps = MISSED_STEPS.slice(MISSED_STEPS.indexOf(cameTo)).filter((step) => step === (reached ?? step));
  const asked = (await readSentences(missed, db)).filter(
    (each) => steps.includes(each.reached) && each.reason === (reason ?? each.reason),
  );
  const sentences = [...new Set(asked.map(({ sentence }) => sentence))];
  const rows = await db
    .select()
    .from(missed)
    .where(
      and(
        inArray(missed.reached, steps),
        reason === undefined ? undefined : inArray(firstSentence(missed.why), sentences),
      ),
    )
    .orderBy(...orderedBy(sortsOf(missed)[query.sort_by], query.sort_order, missed.id))
    .offset(skip)
    .limit(limit);
  const count = await countWithPage(query, rows.length, async () => asked.reduce((sum, each) => sum + each.count, 0));
  return {
    data: rows.map(({ eventId, why, relationId, opportunityId, id, at, subject, usd, size }) => ({
      ...{ id, at, subject, event_id: eventId, reason: why, usd, size },
      ...{ relation_id: relationId, opportunity_id: opportunityId },
    })),
    count,
  };
}

function sortsOf(missed: MissedRows): Record<(typeof MISSED_SORTS)[number], AnyColumn | SQL> {
  return {
    id: missed.id,
    at: missed.at,
    subject: textInsensitive(missed.subject),
    event_id: missed.eventId,
    reason: sql`lower(${missed.why})`,
    usd: sql`${missed.usd}`,
    size: sql`${missed.size}`,
    relation_id: sql`${missed.relationId}`,
    opportunity_id: missed.opportunityId,
  };
}
