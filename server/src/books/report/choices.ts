/** What the report can be narrowed to, as people call it. */
import { EVENT_CHOICES_MAX, type listReportChoices } from '@dutchbook/contract/report.ts';
import { asc, desc, eq, ilike, max, or, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { Db } from '../../platform/runtime/runtime.ts';
import { COUNT } from './figures.ts';
import { batchResults } from './table.ts';

const SOURCES_MAX = 200;

type Asked = z.output<typeof listReportChoices.query>;

export async function readChoices(
  db: Db,
  { search = '', event_id: wanted = '' }: Asked,
): Promise<z.output<typeof listReportChoices.reply>> {
  const { eventId, eventTitle, triggeredAt, source } = batchResults;
  const isFound = ilike(eventTitle, `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const [events, sources] = await Promise.all([
    db
      .select({ id: eventId, title: sql<string>`max(${eventTitle})`, batches: COUNT })
      .from(batchResults)
      .where(search === '' ? undefined : or(isFound, eq(eventId, wanted)))
      .groupBy(eventId)
      .orderBy(desc(eq(eventId, wanted)), desc(max(triggeredAt)), asc(eventId))
      .limit(EVENT_CHOICES_MAX),
    db
      .select({ source, batches: COUNT })
      .from(batchResults)
      .groupBy(source)
      .orderBy(desc(COUNT), asc(source))
      .limit(SOURCES_MAX),
  ]);
  return { events, sources };
}
