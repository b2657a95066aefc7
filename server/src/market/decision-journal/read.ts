/** Reads the decision journal: the state at an instant, and the rows after it. */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { and, asc, eq, gt, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { JournalData } from './journaled.ts';
import { standingRows } from './standing.ts';
import { fromStored } from './stored.ts';
import { decisionJournal, JOURNAL_TOPICS, type JournalTopic } from './table.ts';

const ROWS_PER_READ = 1000;

/** `data` is null where it is gone, or not followed any more. */
export type JournalRow = {
  [Topic in JournalTopic]: { at: Instant; topic: Topic; subject: string; data: JournalData[Topic] | null };
}[JournalTopic];

/** State by topic and subject, without what has ended. */
export type JournalState = { [Topic in JournalTopic]: Map<string, JournalData[Topic]> };

/** The topics that are asked for, and of each the subjects; null: all of them. */
export type JournalWanted = Partial<Record<JournalTopic, readonly string[] | null>>;

const EVERYTHING = Object.fromEntries(JOURNAL_TOPICS.map((topic) => [topic, null])) as JournalWanted;

/** The state at `at`, with everything that became so at that very moment. */
export async function journalAt(
  db: Db,
  venue: string,
  at: Instant,
  wanted: JournalWanted = EVERYTHING,
): Promise<JournalState> {
  const state = Object.fromEntries(JOURNAL_TOPICS.map((topic) => [topic, new Map()])) as unknown as JournalState;
  for (const [topic, subjects] of topicsOf(wanted)) {
    const { rows } = (await db.execute(standingRows(venue, topic, at, subjects))) as unknown as {
      rows: { subject: string; data: object | null }[];
    };
    const known: Map<string, unknown> = state[topic];
    for (const { subject, data } of rows) if (data !== null) known.set(subject, fromStored(topic, data));
  }
  return state;
}

/** Rows after `from`, until `until` inclusive, in order; read page by page. */
export async function* journalBetween(
  db: Db,
  venue: string,
  from: Instant,
  until: Instant,
  wanted: JournalWanted = EVERYTHING,
): AsyncGenerator<JournalRow> {
  const asked = topicsOf(wanted).map(([topic, subjects]) =>
    and(
      eq(decisionJournal.topic, topic),
      subjects === null ? undefined : inArray(decisionJournal.subject, [...subjects]),
    ),
  );
  const within = and(eq(decisionJournal.venue, venue), lte(decisionJournal.at, until), or(...asked));
  let rows = await page(db, and(within, gt(decisionJournal.at, from)));
  for (;;) {
    for (const row of rows) yield rowOf(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_READ) return;
    rows = await page(db, and(within, behind(last)));
  }
}

/** Spans whose rows were dropped that end after `from` and begin before `until`, in the order of their ends. */
export async function lostSpans(
  db: Db,
  venue: string,
  from: Instant,
  until: Instant,
): Promise<{ from: Instant; until: Instant }[]> {
  const { at, topic } = decisionJournal;
  const rows = await page(db, and(eq(decisionJournal.venue, venue), eq(topic, 'lost'), gt(at, from)));
  const spans = rows.map((row) => ({ from: (row.data as JournalData['lost']).from, until: row.at }));
  return spans.filter((span) => span.from < until);
}

type Row = typeof decisionJournal.$inferSelect;

async function page(db: Db, where: SQL | undefined): Promise<Row[]> {
  const { at, id } = decisionJournal;
  return await db.select().from(decisionJournal).where(where).orderBy(asc(at), asc(id)).limit(ROWS_PER_READ);
}

function behind(last: Row): SQL {
  const { at, id } = decisionJournal;
  return sql`(${at}, ${id}) > (${instantToIso(last.at)}::timestamptz, ${last.id}::bigint)`;
}

function topicsOf(wanted: JournalWanted): [JournalTopic, readonly string[] | null][] {
  return Object.entries(wanted) as [JournalTopic, readonly string[] | null][];
}

function rowOf({ at, topic, subject, data }: Row): JournalRow {
  return { at, topic, subject, data: data === null ? null : fromStored(topic, data) } as JournalRow;
}
