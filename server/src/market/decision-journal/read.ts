/** What decisions looked at, read again: as it stood at a moment, and how it went on. */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { and, asc, eq, gt, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { FactOf } from './facts.ts';
import { standingFacts } from './standing.ts';
import { fromStored } from './stored.ts';
import { decisionFacts, FACT_TOPICS, type FactTopic } from './table.ts';

const ROWS_PER_READ = 1000;

/** `data` is null where it is gone, or not followed any more. */
export type Fact = {
  [Topic in FactTopic]: { at: Instant; topic: Topic; subject: string; data: FactOf[Topic] | null };
}[FactTopic];

/** By topic and subject; what is gone is not in it. */
export type FactsState = { [Topic in FactTopic]: Map<string, FactOf[Topic]> };

/** The topics that are asked for, and of each the subjects; null: all of them. */
export type FactsWanted = Partial<Record<FactTopic, readonly string[] | null>>;

const EVERYTHING = Object.fromEntries(FACT_TOPICS.map((topic) => [topic, null])) as FactsWanted;

/** The state at `at`, with everything that became so at that very moment. */
export async function factsAt(
  db: Db,
  venue: string,
  at: Instant,
  wanted: FactsWanted = EVERYTHING,
): Promise<FactsState> {
  const state = Object.fromEntries(FACT_TOPICS.map((topic) => [topic, new Map()])) as unknown as FactsState;
  for (const [topic, subjects] of topicsOf(wanted)) {
    const { rows } = (await db.execute(standingFacts(venue, topic, at, subjects))) as unknown as {
      rows: { subject: string; data: object | null }[];
    };
    const known: Map<string, unknown> = state[topic];
    for (const { subject, data } of rows) if (data !== null) known.set(subject, fromStored(topic, data));
  }
  return state;
}

/** What became so after `from`, until `until` inclusive, in its order; read page by page. */
export async function* factsBetween(
  db: Db,
  venue: string,
  from: Instant,
  until: Instant,
  wanted: FactsWanted = EVERYTHING,
): AsyncGenerator<Fact> {
  const asked = topicsOf(wanted).map(([topic, subjects]) =>
    and(eq(decisionFacts.topic, topic), subjects === null ? undefined : inArray(decisionFacts.subject, [...subjects])),
  );
  const within = and(eq(decisionFacts.venue, venue), lte(decisionFacts.at, until), or(...asked));
  let rows = await page(db, and(within, gt(decisionFacts.at, from)));
  for (;;) {
    for (const row of rows) yield factOf(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_READ) return;
    rows = await page(db, and(within, behind(last)));
  }
}

/** Spans of which facts were dropped that end after `from` and begin before `until`, in the order of their ends. */
export async function lostFacts(
  db: Db,
  venue: string,
  from: Instant,
  until: Instant,
): Promise<{ from: Instant; until: Instant }[]> {
  const { at, topic } = decisionFacts;
  const rows = await page(db, and(eq(decisionFacts.venue, venue), eq(topic, 'lost'), gt(at, from)));
  const spans = rows.map((row) => ({ from: (row.data as FactOf['lost']).from, until: row.at }));
  return spans.filter((span) => span.from < until);
}

type Row = typeof decisionFacts.$inferSelect;

async function page(db: Db, where: SQL | undefined): Promise<Row[]> {
  const { at, id } = decisionFacts;
  return await db.select().from(decisionFacts).where(where).orderBy(asc(at), asc(id)).limit(ROWS_PER_READ);
}

function behind(last: Row): SQL {
  const { at, id } = decisionFacts;
  return sql`(${at}, ${id}) > (${instantToIso(last.at)}::timestamptz, ${last.id}::bigint)`;
}

function topicsOf(wanted: FactsWanted): [FactTopic, readonly string[] | null][] {
  return Object.entries(wanted) as [FactTopic, readonly string[] | null][];
}

function factOf({ at, topic, subject, data }: Row): Fact {
  return { at, topic, subject, data: data === null ? null : fromStored(topic, data) } as Fact;
}
