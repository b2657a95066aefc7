/** Relates markets of different events that ask the same, whichever events those are. */
import type { EventFacts } from '@dutchbook/engine/relation/event-facts.ts';
import { isTwinKey, readTwins, TWIN_KEY, TWIN_LISTINGS_MAX } from '@dutchbook/engine/relation/twins.ts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { relations } from '../relations/table.ts';
import type { Db, Runtime } from '../runtime.ts';
import { reconcileAcross, recordReconciled } from './reconcile.ts';
import { hashOf } from './relation-rows.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

type Stored = Pick<typeof relations.$inferSelect, 'key' | 'members' | 'state' | 'fingerprint'>;

/** Once all events have been read. Events that have nothing new to say of one another are left as they are. */
export async function relateTwins(runtime: Runtime): Promise<void> {
  const stored = await storedTwins(runtime.db);
  for (const ids of connected([...(await listedTwice(runtime.db)), ...stored.map(eventsOf)])) {
    const own = stored.filter((row) => ids.includes(eventsOf(row)[0] ?? ''));
    if (!(await isChanged(runtime.db, ids, own))) continue;
    await runtime.db.transaction(async (tx) => {
      const events = await readEvents(tx, ids);
      await recordReconciled(tx, runtime, [await reconcileAcross(tx, runtime, events, readTwins(events), isTwinKey)]);
    });
  }
}

/** The events of each question that more than one of them lists. */
async function listedTwice(db: Db): Promise<string[][]> {
  const ids = sql<string[]>`array_agg(distinct ${catalogueMarkets.eventId})`;
  const rows = await db
    .select({ ids })
    .from(catalogueMarkets)
    .where(sql`${catalogueMarkets.twin} is not null`)
    .groupBy(catalogueMarkets.twin)
    .having(sql`count(*) between 2 and ${TWIN_LISTINGS_MAX} and count(distinct ${catalogueMarkets.eventId}) > 1`);
  return rows.map((row) => row.ids);
}

function storedTwins(db: Db): Promise<Stored[]> {
  const { key, members, state, fingerprint } = relations;
  return db
    .select({ key, members, state, fingerprint })
    .from(relations)
    .where(and(eq(relations.kind, 'ladder'), sql`starts_with(${key}, ${TWIN_KEY})`, isNull(relations.endedAt)));
}

async function isChanged(db: Db, ids: readonly string[], stored: readonly Stored[]): Promise<boolean> {
  const events = await readEvents(db, ids);
  const read = new Map(readTwins(events).map(({ key, fingerprintText }) => [key, hashOf(fingerprintText)]));
  const isOver = new Set(events.filter(({ closed }) => closed).map(({ id }) => id));
  const known = new Set(stored.map(({ key }) => key));
  return (
    [...read.keys()].some((key) => !known.has(key)) ||
    stored.some((row) => {
      const fingerprint = read.get(row.key);
      if (fingerprint !== undefined) return fingerprint !== row.fingerprint;
      // What is void or rejected stays so until it is over.
      return ['proposed', 'approved'].includes(row.state) || eventsOf(row).some((id) => isOver.has(id));
    })
  );
}

async function readEvents(db: Db, ids: readonly string[]): Promise<EventFacts[]> {
  const { facts, closed } = catalogueEvents;
  const rows = await db
    .select({ facts, closed })
    .from(catalogueEvents)
    .where(inArray(catalogueEvents.id, [...ids]))
    .orderBy(catalogueEvents.id);
  return rows.map((row) => ({ ...row.facts, closed: row.closed }));
}

function eventsOf({ members }: Stored): string[] {
  return [...new Set(members.map(({ eventId }) => eventId))];
}

/** The sets that remain when those with an event in common become one. */
function connected(groups: readonly (readonly string[])[]): string[][] {
  const setOf = new Map<string, Set<string>>();
  for (const group of groups) {
    const joined = new Set(group.flatMap((id) => [...(setOf.get(id) ?? [id])]));
    for (const id of joined) setOf.set(id, joined);
  }
  return [...new Set(setOf.values())].map((ids) => [...ids].sort());
}
