/** Relates markets of different events: on one variable, of one game, or with the same question. */
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readAcross } from '@dutchbook/engine/relation/read-relations.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { isTwinKey, readTwins, TWIN_LISTINGS_MAX } from '@dutchbook/engine/relation/twins.ts';
import { and, eq, inArray, isNotNull, isNull, not, sql } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { relations } from '../relations/table.ts';
import { reconcileAcross, recordReconciled } from './reconcile.ts';
import { hashOf } from './relation-rows.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

type Stored = Pick<typeof relations.$inferSelect, 'key' | 'members' | 'state' | 'fingerprint' | 'isComplete'>;
/** `groups`: events that may have something to say of one another; `isOwn`: by its key, whether `read` has read a relation. */
type Way = {
  groups: (db: Db) => Promise<string[][]>;
  read: (events: readonly CatalogueEvent[]) => Relation[];
  isOwn: (key: string) => boolean;
};

const WAYS: readonly Way[] = [
  { groups: withOneVariable, read: readAcross, isOwn: (key) => !isTwinKey(key) },
  { groups: withOneQuestion, read: readTwins, isOwn: isTwinKey },
];

/** Groups that gave nothing new, by the ids of their events, with their content then. */
type Settled = Map<string, string>;

/** To be called once all events have been read. Groups without a change are skipped. */
export function openRelating(runtime: Runtime): () => Promise<void> {
  const settled = WAYS.map((): Settled => new Map());
  return async () => {
    const stored = await storedAcross(runtime.db);
    for (const [nth, way] of WAYS.entries()) {
      const own = stored.filter(({ key }) => way.isOwn(key));
      settled[nth] = await relate(runtime, way, own, settled[nth] ?? new Map());
    }
  };
}

/**
 * Events related before stay in one group, so that a relation that no longer holds is noticed. `before`: what need not be read
 * again, the texts of whole events, where nothing of it has changed. @returns what need not be read the next time
 */
async function relate(
  runtime: Runtime,
  { groups, read, isOwn }: Way,
  stored: readonly Stored[],
  before: Settled,
): Promise<Settled> {
  const connectedIds = connected([...(await groups(runtime.db)), ...stored.map(eventsOf)]);
  const groupOf = new Map(connectedIds.flatMap((ids) => ids.map((id) => [id, ids] as const)));
  const storedOf = Map.groupBy(stored, (row) => groupOf.get(eventsOf(row)[0] ?? ''));
  const versions = await readVersions(runtime.db, [...groupOf.keys()]);
  const settled: Settled = new Map();
  for (const ids of connectedIds) {
    const own = storedOf.get(ids) ?? [];
    const [key, said] = [ids.join(' '), saidOf(ids, versions, own)];
    if (before.get(key) === said || !isChanged(await readEvents(runtime.db, ids), own, read)) {
      settled.set(key, said);
      continue;
    }
    await runtime.db.transaction(async (tx) => {
      const events = await readEvents(tx, ids);
      await recordReconciled(tx, runtime, [await reconcileAcross(tx, runtime, events, read(events), isOwn)]);
    });
  }
  return settled;
}

/** Everything that can change a group's relations, as text to compare. */
function saidOf(ids: readonly string[], versions: ReadonlyMap<string, string>, stored: readonly Stored[]): string {
  const rows = stored.map(({ key, state, fingerprint, isComplete }) => [key, state, fingerprint, isComplete]);
  return hashOf(JSON.stringify([ids.map((id) => versions.get(id)), rows.sort()]));
}

/** Content hash of each event. */
async function readVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { id, hash, closed } = catalogueEvents;
  // One parameter for all of them: there are thousands.
  const isAsked = sql`${id} in (select json_array_elements_text(${JSON.stringify(ids)}::json))`;
  const rows = await db.select({ id, hash, closed }).from(catalogueEvents).where(isAsked);
  return new Map(rows.map((row) => [row.id, `${row.hash}${row.closed}`]));
}

async function withOneVariable(db: Db): Promise<string[][]> {
  const { id, variable, closed } = catalogueEvents;
  const rows = await db
    .select({ ids: sql<string[]>`array_agg(${id})` })
    .from(catalogueEvents)
    .where(and(isNotNull(variable), not(closed)))
    .groupBy(variable)
    .having(sql`count(*) > 1`);
  return rows.map(({ ids }) => ids);
}

async function withOneQuestion(db: Db): Promise<string[][]> {
  const { eventId, twin } = catalogueMarkets;
  const rows = await db
    .select({ ids: sql<string[]>`array_agg(distinct ${eventId})` })
    .from(catalogueMarkets)
    .where(isNotNull(twin))
    .groupBy(twin)
    .having(sql`count(*) between 2 and ${TWIN_LISTINGS_MAX} and count(distinct ${eventId}) > 1`);
  return rows.map(({ ids }) => ids);
}

/** Stored relations between events that were read here and have not ended. */
function storedAcross(db: Db): Promise<Stored[]> {
  const { key, members, state, fingerprint, isComplete } = relations;
  const isBetween = sql`exists (select from jsonb_array_elements(${members}) as member where member ->> 'eventId' <> ${relations.eventId})`;
  return db
    .select({ key, members, state, fingerprint, isComplete })
    .from(relations)
    .where(and(eq(relations.basis, 'parsed'), isNull(relations.endedAt), isBetween));
}

/** Whether what is stored between these events is not what is read of them now. */
function isChanged(events: readonly CatalogueEvent[], stored: readonly Stored[], readOf: Way['read']): boolean {
  const read = new Map(readOf(events).map((relation) => [relation.key, relation]));
  const closed = new Set(events.filter((event) => event.closed).map(({ id }) => id));
  const known = new Set(stored.map(({ key }) => key));
  if ([...read.keys()].some((key) => !known.has(key))) return true;
  return stored.some((row) => {
    const relation = read.get(row.key);
    if (relation !== undefined)
      return hashOf(relation.fingerprintText) !== row.fingerprint || relation.isComplete !== row.isComplete;
    // A void or rejected relation stays so until it ends.
    return ['proposed', 'approved'].includes(row.state) || eventsOf(row).some((id) => closed.has(id));
  });
}

async function readEvents(db: Db, ids: readonly string[]): Promise<CatalogueEvent[]> {
  const { id, event, closed } = catalogueEvents;
  const rows = await db
    .select({ event, closed })
    .from(catalogueEvents)
    .where(inArray(id, [...ids]))
    .orderBy(id);
  return rows.map((row) => ({ ...row.event, closed: row.closed }));
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
