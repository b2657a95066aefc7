/** Stores a page of the venue's events: the events, their relations, and which of these are void since. */
import { createHash } from 'node:crypto';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readRelations, variableOf } from '@dutchbook/engine/relation/read-relations.ts';
import { twinTextOf } from '@dutchbook/engine/relation/twins.ts';
import { type EventId, type MarketId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { and, eq, getTableColumns, inArray, lt, not, sql } from 'drizzle-orm';
import { lock } from '../../platform/database/locks.ts';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { relations } from '../relations/table.ts';
import { addNewEvents, type ReadEvent, type Reconciled, reconcileEvent, recordReconciled } from './reconcile.ts';
import { indexed } from './relation-rows.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

/** Members hashed per tick of the event loop: a page has thousands. */
const MEMBERS_PER_SLICE = 100;
/** Events per statement, bounded because of their members' rules. */
const EVENTS_TOGETHER = 25;

/**
 * Stores events as read in this pass, all in a few statements, and judges the relations of those that have changed anew. Of those that
 * have not nothing is written.
 */
export async function keepEvents(runtime: Runtime, read: readonly CatalogueEvent[], pass: number): Promise<void> {
  const events = await hashed(await withKnownClarifications(runtime.db, read));
  const differing = await readFrom(changed(events, await storedHashes(runtime.db, idsOf(events))));
  if (differing.length === 0) return;
  await runtime.db.transaction(async (tx) => {
    // Two readers would both add the relations of an event that is new.
    await lock(tx, 'humanRelations');
    const stored = await storedHashes(tx, idsOf(differing));
    const news = changed(differing, stored);
    if (news.length === 0) return;
    const related = await haveRelations(
      tx,
      idsOf(news).filter((id) => !stored.has(id)),
    );
    const isKnown = ({ event }: ReadEvent) => stored.has(event.id) || related.has(event.id);
    const before = await readEvents(tx, idsOf(news.filter(isKnown)));
    await writeEvents(tx, runtime, news, pass);
    await writeMarkets(tx, news.filter(isKnown), news);
    const changes = [
      await addNewEvents(
        tx,
        runtime,
        news.filter((each) => !isKnown(each)),
      ),
    ];
    for (const each of news.filter(isKnown))
      changes.push(await reconcileEvent(tx, runtime, each, before.get(each.event.id) ?? null));
    await recordReconciled(tx, runtime, changes);
  });
}

/** Open ones that were not written in the pass and that no page of it held: closed, or not listed any more. */
export async function unseenEvents(
  db: Db,
  venue: VenueName,
  pass: number,
  seen: ReadonlySet<EventId>,
): Promise<EventId[]> {
  const rows = await db
    .select({ id: catalogueEvents.id })
    .from(catalogueEvents)
    .where(and(lt(catalogueEvents.pass, pass), not(catalogueEvents.closed)));
  return rows.flatMap(({ id }) => (venueOf(id) === venue && !seen.has(id) ? id : []));
}

export async function knownMarkets(db: Db, ids: readonly MarketId[]): Promise<Set<string>> {
  const { id } = catalogueMarkets;
  const rows = await db
    .select({ id })
    .from(catalogueMarkets)
    .where(inArray(id, [...ids]));
  return new Set(rows.map((row) => row.id));
}

/** Stops watching events that the venue does not list any more. */
export async function dropEvents(runtime: Runtime, ids: readonly string[], pass: number): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    await lock(tx, 'humanRelations');
    const changes: Reconciled[] = [];
    for (const id of ids) {
      const [row] = await tx
        .update(catalogueEvents)
        .set({ closed: true, pass, whyNot: NOT_LISTED, readAt: runtime.clock.now(), hash: '' })
        .where(eq(catalogueEvents.id, id))
        .returning({ event: catalogueEvents.event });
      await tx.update(catalogueMarkets).set({ twin: null }).where(eq(catalogueMarkets.eventId, id));
      if (row === undefined) continue;
      const gone = { event: { ...row.event, closed: true }, relations: [] };
      changes.push(await reconcileEvent(tx, runtime, gone, row.event));
    }
    await recordReconciled(tx, runtime, changes);
  });
}

const NOT_LISTED = 'The venue does not list this event any more';
const CLOSED = 'The event is over';

type Hashed = { event: CatalogueEvent; hash: string };

/** Events once each, in a form that the database can hold. */
async function hashed(read: readonly CatalogueEvent[]): Promise<Hashed[]> {
  const events = new Map<string, Hashed>();
  const slices = sliced(MEMBERS_PER_SLICE);
  for (const event of read) {
    const text = JSON.stringify(event);
    const isStorable = !UNSTORABLE.test(text);
    events.set(event.id, isStorable ? { event, hash: sha256(text) } : storable(text));
    await slices.spend(event.members.length);
  }
  return [...events.values()];
}

/** Stored hashes by event. */
async function storedHashes(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { id, hash } = catalogueEvents;
  const rows = await db
    .select({ id, hash })
    .from(catalogueEvents)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.hash]));
}

function idsOf(events: readonly Hashed[]): EventId[] {
  return events.map(({ event }) => event.id);
}

function changed<Each extends Hashed>(events: readonly Each[], stored: ReadonlyMap<string, string>): Each[] {
  return events.filter(({ event, hash }) => stored.get(event.id) !== hash);
}

type Market = typeof catalogueMarkets.$inferSelect;
type Read = Hashed & ReadEvent & { whyNot: string | null; variable: string | null; markets: Market[] };

/** Reads and judges events before anything is locked. */
async function readFrom(events: readonly Hashed[]): Promise<Read[]> {
  const read: Read[] = [];
  const slices = sliced(MEMBERS_PER_SLICE);
  for (const { event, hash } of events) {
    const { relations, whyNot } = event.closed ? { relations: [], whyNot: CLOSED } : readRelations(event);
    const variable = event.closed ? null : indexed(variableOf(event));
    const markets = event.members.map((member) => marketOf(event, member));
    read.push({ event, hash, relations, whyNot, variable, markets });
    await slices.spend(event.members.length);
  }
  return read;
}

function marketOf(event: CatalogueEvent, member: EventMember): Market {
  const { marketId: id, slug, question } = member;
  const text = twinTextOf(event, member);
  return { id, eventId: event.id, slug: indexed(slug), question, twin: text === null ? null : sha256(text) };
}

async function writeEvents(tx: Db, runtime: Runtime, read: readonly Read[], pass: number): Promise<void> {
  const { id: _, ...rest } = getTableColumns(catalogueEvents);
  for (let from = 0; from < read.length; from += EVENTS_TOGETHER) {
    const rows = read.slice(from, from + EVENTS_TOGETHER).map(({ event, hash, whyNot, variable }) => ({
      id: event.id,
      slug: indexed(event.slug),
      title: event.title,
      variable,
      closed: event.closed,
      whyNot,
      event,
      hash,
      pass,
      readAt: runtime.clock.now(),
    }));
    await tx.execute(sql`${insertOf(catalogueEvents, rows)}
      on conflict (id) do update set ${setExcluded(Object.values(rest))}`);
  }
}

/** `known`: those that had markets before. */
async function writeMarkets(tx: Db, known: readonly Read[], read: readonly Read[]): Promise<void> {
  if (known.length > 0)
    await tx.delete(catalogueMarkets).where(
      inArray(
        catalogueMarkets.eventId,
        known.map(({ event }) => event.id),
      ),
    );
  const rows = new Map(read.flatMap(({ markets }) => markets.map((market) => [market.id, market] as const)));
  if (rows.size === 0) return;
  const { eventId, slug, question, twin } = catalogueMarkets;
  await tx.execute(sql`${insertOf(catalogueMarkets, [...rows.values()])}
    on conflict (id) do update set ${setExcluded([eventId, slug, question, twin])}`);
}

/** The stored events, by id. */
async function readEvents(db: Db, ids: readonly string[]): Promise<Map<string, CatalogueEvent>> {
  if (ids.length === 0) return new Map();
  const { id, event } = catalogueEvents;
  const rows = await db
    .select({ id, event })
    .from(catalogueEvents)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.event]));
}

/** Relations copied from another installation came without the catalogue. */
async function haveRelations(db: Db, ids: readonly EventId[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { eventId } = relations;
  const rows = await db
    .selectDistinct({ eventId })
    .from(relations)
    .where(inArray(eventId, [...ids]));
  return new Set(rows.map((row) => row.eventId));
}

/** Where the venue does not say what it has added to a market's rules, that is what it said last: silence changes no relation. */
async function withKnownClarifications(db: Db, events: readonly CatalogueEvent[]): Promise<CatalogueEvent[]> {
  const unsaid = events.filter(({ members }) => members.some(({ clarifications }) => clarifications === null));
  if (unsaid.length === 0) return [...events];
  const stored = await readEvents(
    db,
    unsaid.map(({ id }) => id),
  );
  const known = new Map(
    [...stored.values()].flatMap((event) =>
      event.members.map(({ marketId, clarifications }) => [marketId, clarifications] as const),
    ),
  );
  return events.map((event) => ({
    ...event,
    members: event.members.map((member) => ({
      ...member,
      clarifications: member.clarifications ?? known.get(member.marketId) ?? null,
    })),
  }));
}

/** NUL, or half of a surrogate pair alone, in JSON. PostgreSQL stores neither, and a venue's texts may hold both. */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

function storable(text: string): Hashed {
  const event = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  ) as CatalogueEvent;
  return { event, hash: sha256(JSON.stringify(event)) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
