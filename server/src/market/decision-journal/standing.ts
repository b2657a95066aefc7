import type { Instant } from '@dutchbook/units/instant.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import { decisionJournal, type JournalTopic } from './table.ts';

/**
 * The newest row of each subject of a topic at an instant, as `subject`, `at` and `data`: two look-ups for each, however many rows
 * there are. `subjects`: those alone.
 */
export function standingRows(venue: string, topic: JournalTopic, at: Instant, subjects: readonly string[] | null): SQL {
  const f = decisionJournal;
  const ofTopic = sql`venue = ${venue} and topic = ${topic}`;
  const every = sql`
    with recursive s as (
      (select subject from ${f} where ${ofTopic} order by subject limit 1)
      union all
      select (select subject from ${f} where ${ofTopic} and subject > s.subject order by subject limit 1)
      from s where s.subject is not null)
    select subject from s where subject is not null`;
  const some = sql`select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb) as subject`;
  return sql`
    select each.subject, newest.at, newest.data
    from (${subjects === null ? every : some}) each, lateral (
      select at, data from ${f} where ${ofTopic} and subject = each.subject and at <= ${instantToIso(at)}::timestamptz
      order by at desc, id desc limit 1) newest`;
}
