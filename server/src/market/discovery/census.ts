import type { Census, WhyAnswer } from '@dutchbook/contract/discovery/census.ts';
import { RELATION_BASES, RELATION_KINDS } from '@dutchbook/contract/list-values.ts';
import type { RelationBasis, RelationKind } from '@dutchbook/contract/relations.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { isReversed, REVERSED } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, MarketId, VenueName } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { and, eq, ilike, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { relationPrices, relations } from '../relations/table.ts';
import { readPasses } from './sync.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

const DAY_MS = 86_400_000;
const REASONS_MAX = 50;
const ANSWERS_MAX = 10;
/** Figures in a sentence would make every event a reason of its own. */
const FIGURES = sql.raw(String.raw`'\d+'`);

/** Whether a user has stated a relation of its markets, where none was read. */
const IS_STATED = sql`exists (select from ${relations} where ${relations.basis} = 'human' and ${relations.endedAt} is null
  and ${relations.members} @> jsonb_build_array(jsonb_build_object('eventId', ${catalogueEvents.id})))`;

type Asked = { now: Instant; enabled: boolean; venue?: VenueName | undefined };

export async function readCensus(db: Db, { now, enabled, venue }: Asked): Promise<Omit<Census, 'mirror'>> {
  const passes = (await readPasses(db)).filter((pass) => venue === undefined || pass.venue === venue);
  const isListedThere = venue && eq(venueIn(catalogueEvents.id), venue);
  const isOpen = and(eq(catalogueEvents.closed, false), isListedThere);
  const events = await db.$count(catalogueEvents, isOpen);
  const markets = await db.$count(
    sql`${catalogueMarkets} join ${catalogueEvents} on ${catalogueEvents.id} = ${catalogueMarkets.eventId}`,
    isOpen,
  );
  const isWatched = and(isNull(relations.endedAt), venue && eq(venueIn(relations.eventId), venue));
  const sets = await readSets(db, now, isWatched);
  const eventsOf = await readEventsOf(db, isWatched);
  const reason = sql<string>`regexp_replace(${catalogueEvents.whyNot}, ${FIGURES}, 'n', 'g')`;
  const unwatched = await db
    .select({ reason, events: sql`count(*)`.mapWith(Number) })
    .from(catalogueEvents)
    .where(and(isNotNull(catalogueEvents.whyNot), not(catalogueEvents.closed), sql`not ${IS_STATED}`, isListedThere))
    .groupBy(sql`1`)
    .orderBy(sql`2 desc`, sql`1`)
    .limit(REASONS_MAX);
  return {
    enabled,
    sync: {
      running: passes.some(({ startedAt, finishedAt }) => startedAt !== null && finishedAt === null),
      started_at: firstOf(passes.map(({ startedAt }) => startedAt)),
      finished_at: firstOf(passes.map(({ finishedAt }) => finishedAt)),
      events_read: passes.reduce((sum, { eventsRead }) => sum + eventsRead, 0),
      error: passes.length === 1 ? (passes[0]?.error ?? null) : errorsOf(passes),
    },
    events,
    markets,
    bases: RELATION_BASES.map((basis) => {
      const { not_comparable: _, ...counts } = summed(sets.filter((row) => row.basis === basis));
      return { basis, events: eventsOf.get(basis) ?? 0, ...counts };
    }),
    kinds: RELATION_KINDS.map((kind) => {
      const { relations: count, not_comparable } = summed(sets.filter((row) => row.kind === kind));
      return { kind, relations: count, not_comparable };
    }),
    unwatched,
  };
}

const NOTHING = { members: 0, relations: 0, complete: 0, unquoted: 0, hits: 0, not_comparable: 0 };
type Counts = typeof NOTHING;

/** Reads the sets of each basis and kind in one pass over the large table. */
function readSets(
  db: Db,
  now: Instant,
  isWatched: SQL | undefined,
): Promise<(Counts & { basis: RelationBasis; kind: RelationKind })[]> {
  const members = sql`jsonb_array_length(${relations.members})`;
  const today = instantToIso((now - (now % DAY_MS)) as Instant);
  return db
    .select({
      basis: relations.basis,
      kind: relations.kind,
      members: sql`sum(${members})`.mapWith(Number),
      relations: sql`count(*)`.mapWith(Number),
      complete: sql`count(*) filter (where ${relations.isComplete})`.mapWith(Number),
      unquoted: sql`sum(${members} - ${relationPrices.quoted})`.mapWith(Number),
      hits: sql`count(*) filter (where ${relationPrices.lastHitAt} >= ${today}::timestamptz)`.mapWith(Number),
      not_comparable: sql`count(*) filter (where ${relationPrices.distance} is null)`.mapWith(Number),
    })
    .from(relations)
    .innerJoin(relationPrices, eq(relationPrices.relationId, relations.id))
    .where(isWatched)
    .groupBy(relations.basis, relations.kind);
}

async function readEventsOf(db: Db, isWatched: SQL | undefined): Promise<Map<RelationBasis, number>> {
  const { basis, eventId } = relations;
  const each = db.selectDistinct({ basis, eventId }).from(relations).where(isWatched).as('each');
  const rows = await db
    .select({ basis: each.basis, events: sql`count(*)`.mapWith(Number) })
    .from(each)
    .groupBy(each.basis);
  return new Map(rows.map((row) => [row.basis, row.events]));
}

function summed(rows: readonly Counts[]): Counts {
  return rows.reduce(
    (sum, row) => ({
      members: sum.members + row.members,
      relations: sum.relations + row.relations,
      complete: sum.complete + row.complete,
      unquoted: sum.unquoted + row.unquoted,
      hits: sum.hits + row.hits,
      not_comparable: sum.not_comparable + row.not_comparable,
    }),
    NOTHING,
  );
}

/** Null where one is. */
function firstOf(all: readonly (Instant | null)[]): Instant | null {
  const known = all.filter((at) => at !== null);
  return known.length < all.length || known.length === 0 ? null : (Math.min(...known) as Instant);
}

function errorsOf(passes: Awaited<ReturnType<typeof readPasses>>): string | null {
  const errors = passes.flatMap(({ venue, error }) => (error === null ? [] : `${VENUE_LABELS[venue]}: ${error}`));
  return errors.length === 0 ? null : errors.join('; ');
}

/** Events and markets by the last part of an address, an id, or words of their names; events first. */
export async function explainWatched(db: Db, asked: string): Promise<WhyAnswer[]> {
  const q = lastPart(asked.trim());
  const words = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const events = await findEvents(db, or(eq(catalogueEvents.id, q), eq(catalogueEvents.slug, q)));
  const markets = await findMarkets(db, or(eq(catalogueMarkets.id, q), eq(catalogueMarkets.slug, q)));
  if (events.length + markets.length > 0) return [...events, ...markets];
  const named = await findEvents(db, ilike(catalogueEvents.title, words));
  return [...named, ...(await findMarkets(db, ilike(catalogueMarkets.question, words)))].slice(0, ANSWERS_MAX);
}

/** `https://polymarket.com/event/some-event/some-market?tid=1` asks for `some-market`. */
function lastPart(asked: string): string {
  if (!/^https?:\/\//i.test(asked)) return asked;
  const [path = ''] = asked.split(/[?#]/, 1);
  return path.split('/').findLast((part) => part !== '') ?? asked;
}

async function findEvents(db: Db, condition: SQL | undefined): Promise<WhyAnswer[]> {
  const rows = await db
    .select({ id: catalogueEvents.id, title: catalogueEvents.title, whyNot: catalogueEvents.whyNot })
    .from(catalogueEvents)
    .where(condition)
    .limit(ANSWERS_MAX);
  const relationsOf =
    rows.length === 0 ? [] : await relationsBy(db, or(...rows.map(({ id }) => hasMember({ eventId: id }))));
  return rows.map(({ id, title, whyNot }) =>
    answer(
      'event',
      { id, title, whyNot },
      relationsOf.filter(({ members }) => members.some(({ eventId }) => eventId === id)),
    ),
  );
}

async function findMarkets(db: Db, condition: SQL | undefined): Promise<WhyAnswer[]> {
  const rows = await db
    .select({
      id: catalogueMarkets.id,
      title: catalogueMarkets.question,
      whyNot: catalogueEvents.whyNot,
      event: catalogueEvents.event,
    })
    .from(catalogueMarkets)
    .innerJoin(catalogueEvents, eq(catalogueEvents.id, catalogueMarkets.eventId))
    .where(condition)
    .limit(ANSWERS_MAX);
  const answers: WhyAnswer[] = [];
  for (const { id, title, whyNot, event } of rows) {
    const own = await relationsBy(db, hasMember({ marketId: id }));
    const member = event.members.find(({ marketId }) => marketId === id);
    const leftOut = member !== undefined && isReversed(member) ? REVERSED : member?.leftOut;
    answers.push(answer('market', { id, title, whyNot: leftOut ?? whyNot }, own));
  }
  return answers;
}

type Found = Pick<typeof relations.$inferSelect, 'id' | 'members' | 'title' | 'state'>;

function hasMember(member: { eventId: EventId } | { marketId: MarketId }): SQL {
  return sql`${relations.members} @> ${JSON.stringify([member])}::jsonb`;
}

function relationsBy(db: Db, condition: SQL | undefined): Promise<Found[]> {
  return db
    .select({ id: relations.id, members: relations.members, title: relations.title, state: relations.state })
    .from(relations)
    .where(sql`${condition} and ${isNull(relations.endedAt)}`)
    .orderBy(relations.kind, relations.id)
    .limit(100);
}

function answer(
  kind: 'event' | 'market',
  { id, title, whyNot }: { id: string; title: string; whyNot: string | null },
  own: Found[],
): WhyAnswer {
  const watched = own.filter(({ state }) => state === 'proposed' || state === 'approved');
  return {
    kind,
    id,
    title,
    watched: watched.length > 0,
    sentence: sentenceOf(own, watched, whyNot),
    relation_ids: own.map((relation) => relation.id),
  };
}

function sentenceOf(own: readonly Found[], watched: readonly Found[], whyNot: string | null): string {
  const [first] = watched;
  if (first !== undefined) {
    const by =
      watched.length === 1
        ? `Watched: ${first.title}`
        : `Watched by ${watched.length} relations, among them: ${first.title}`;
    return [by, ...(whyNot === null ? [] : [whyNot]), ...(watched.some(isBetweenEvents) ? [] : [BEYOND])].join('. ');
  }
  const [stopped] = own;
  if (stopped !== undefined) return `Not watched: "${stopped.title}" is ${stopped.state}`;
  return whyNot ?? 'Not watched: no relation was read from it';
}

/** The venue has fields for one variable, one game and equal texts alone. */
const BEYOND =
  'What follows from it for another event (a nomination from a win, a ladder over several events) no field of the venue says: a superuser may add such a relation';

function isBetweenEvents({ members }: Found): boolean {
  return members.some(({ eventId }) => eventId !== members[0]?.eventId);
}
