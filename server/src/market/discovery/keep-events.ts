/** What was read of the venue becomes rows: its events, the relations they hold, and what is void since. */
import { createHash } from 'node:crypto';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readRelations, variableOf } from '@dutchbook/engine/relation/read-relations.ts';
import { twinTextOf } from '@dutchbook/engine/relation/twins.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { and, eq, inArray, lt, not, sql } from 'drizzle-orm';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { type Reconciled, reconcileEvent, recordReconciled } from './reconcile.ts';
import { indexed } from './relation-rows.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

/** Members hashed per tick of the event loop: a page has thousands. */
const MEMBERS_PER_SLICE = 100;

/** Stores a page of events as read in this pass, and judges the relations of those that have changed anew. */
export async function keepEvents(runtime: Runtime, read: readonly CatalogueEvent[], pass: number): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const known = await withKnownClarifications(tx, uniqueById(read));
    const events: { event: CatalogueEvent; hash: string }[] = [];
    const slices = sliced(MEMBERS_PER_SLICE);
    for (const event of known) {
      events.push({ event, hash: hashOf(event) });
      await slices.spend(event.members.length);
    }
    const ids = events.map(({ event }) => event.id);
    const stored = await tx
      .select({ id: catalogueEvents.id, hash: catalogueEvents.hash })
      .from(catalogueEvents)
      .where(inArray(catalogueEvents.id, ids));
    const hashes = new Map(stored.map(({ id, hash }) => [id, hash]));
    await tx.update(catalogueEvents).set({ pass }).where(inArray(catalogueEvents.id, ids));
    const changes: Reconciled[] = [];
    for (const { event, hash } of events) {
      if (hashes.get(event.id) === hash) continue;
      changes.push(await keepEvent(tx, runtime, event, hash, pass));
    }
    await recordReconciled(tx, runtime, changes);
  });
}

/** Events that no page of the pass held: closed, or not listed any more. */
export async function unseenEvents(db: Db, venue: VenueName, pass: number): Promise<string[]> {
  const rows = await db
    .select({ id: catalogueEvents.id })
    .from(catalogueEvents)
    .where(and(lt(catalogueEvents.pass, pass), not(catalogueEvents.closed)));
  return rows.flatMap(({ id }) => (venueOf(id) === venue ? id : []));
}

/** Stops watching events that the venue does not list any more. */
export async function dropEvents(runtime: Runtime, ids: readonly string[], pass: number): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const changes: Reconciled[] = [];
    for (const id of ids) {
      const [row] = await tx
        .update(catalogueEvents)
        .set({ closed: true, pass, whyNot: NOT_LISTED, readAt: runtime.clock.now(), hash: '' })
        .where(eq(catalogueEvents.id, id))
        .returning({ event: catalogueEvents.event });
      await tx.update(catalogueMarkets).set({ twin: null }).where(eq(catalogueMarkets.eventId, id));
      if (row !== undefined) changes.push(await reconcileEvent(tx, runtime, { ...row.event, closed: true }, []));
    }
    await recordReconciled(tx, runtime, changes);
  });
}

const NOT_LISTED = 'The venue does not list this event any more';
const CLOSED = 'The event is over';

async function keepEvent(
  tx: Db,
  runtime: Runtime,
  event: CatalogueEvent,
  hash: string,
  pass: number,
): Promise<Reconciled> {
  const { relations, whyNot } = event.closed ? { relations: [], whyNot: CLOSED } : readRelations(event);
  const row = {
    id: event.id,
    slug: indexed(event.slug),
    title: event.title,
    variable: event.closed ? null : indexed(variableOf(event)),
    closed: event.closed,
    whyNot,
    event: event,
    hash,
    pass,
    readAt: runtime.clock.now(),
  };
  await tx.insert(catalogueEvents).values(row).onConflictDoUpdate({ target: catalogueEvents.id, set: row });
  await keepMarkets(tx, event);
  return reconcileEvent(tx, runtime, event, relations);
}

async function keepMarkets(tx: Db, event: CatalogueEvent): Promise<void> {
  await tx.delete(catalogueMarkets).where(eq(catalogueMarkets.eventId, event.id));
  const rows = [...new Map(event.members.map((member) => [member.marketId, member])).values()].map((member) => {
    const { marketId, slug, question } = member;
    const text = twinTextOf(event, member);
    return {
      id: marketId,
      eventId: event.id,
      slug: indexed(slug),
      question,
      twin: text === null ? null : sha256(text),
    };
  });
  if (rows.length === 0) return;
  const { eventId, slug, question, twin } = catalogueMarkets;
  await tx.execute(sql`${insertOf(catalogueMarkets, rows)}
    on conflict (id) do update set ${setExcluded([eventId, slug, question, twin])}`);
}

/** Where the venue does not say what it has added to a market's rules, that is what it said last: silence changes no relation. */
async function withKnownClarifications(tx: Db, events: readonly CatalogueEvent[]): Promise<CatalogueEvent[]> {
  const unsaid = events.filter(({ members }) => members.some(({ clarifications }) => clarifications === null));
  if (unsaid.length === 0) return [...events];
  const stored = await tx
    .select({ event: catalogueEvents.event })
    .from(catalogueEvents)
    .where(
      inArray(
        catalogueEvents.id,
        unsaid.map(({ id }) => id),
      ),
    );
  const known = new Map(
    stored.flatMap(({ event }) =>
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

function uniqueById(events: readonly CatalogueEvent[]): CatalogueEvent[] {
  return [...new Map(events.map((event) => [event.id, storable(event)])).values()];
}

/** PostgreSQL keeps neither NUL nor a lone half of a surrogate pair, and a venue's texts may hold both. */
function storable(event: CatalogueEvent): CatalogueEvent {
  return JSON.parse(JSON.stringify(event), (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  ) as CatalogueEvent;
}

function hashOf(event: CatalogueEvent): string {
  return sha256(JSON.stringify(event));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
